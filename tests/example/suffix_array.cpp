// The suffix array and the Burrows-Wheeler transform of a string:  suffix_array STRING
#include <gsx/suffix_array.hpp>
#include <iostream>

int main(int argc, char** argv) {
  const std::string_view text = argc > 1 ? argv[1] : "banana";
  const gsx::SuffixArray rows = gsx::suffix_array(text);
  for (std::uint64_t i = 0; i < rows.size(); ++i)
    std::cout << rows[i] << '\t' << text.substr(rows[i]) << '\n';
  const gsx::BytesBwt bwt = gsx::bwt(text);
  std::cout << std::string(bwt.bytes.begin(), bwt.bytes.end()) << ", primary " << bwt.primary
            << '\n';
}
