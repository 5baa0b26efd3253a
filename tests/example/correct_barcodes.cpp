// Finds what barcodes with errors should be, by how often each comes:  correct_barcodes BARCODE...
#include <gsx/barcodes.hpp>
#include <iostream>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  const std::vector<std::string_view> barcodes(argv + 1, argv + argc);
  const gsx::SequenceSet set = gsx::make_sequence_set(barcodes);
  for (const auto& [first, second, distance] : gsx::neighbor_pairs(set))
    std::cout << set.sequence(first) << " ~ " << set.sequence(second) << '\n';
  const std::vector<gsx::Correction> corrections = gsx::corrections(set);
  for (std::uint32_t i = 0; i < set.size(); ++i)
    std::cout << set.sequence(i) << '\t' << set.count(i) << '\t'
              << set.sequence(corrections[i].target) << '\n';
}
