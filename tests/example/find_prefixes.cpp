// Finds the longest of some barcodes that a read begins with:  find_prefixes READ BARCODE...
#include <gsx/barcodes.hpp>
#include <iostream>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  const std::vector<std::string_view> barcodes(argv + 2, argv + argc);
  const gsx::PrefixSet set(barcodes);
  const std::vector<std::string_view> reads = {argv[1], "NNN"};
  for (const std::uint32_t found : gsx::longest_prefixes(set, reads))
    std::cout << (found == gsx::PrefixSetView::none ? "none" : barcodes[found]) << '\n';
}
