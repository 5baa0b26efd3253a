// The complement of nucleotide codes, as letters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace gsx {

/// The complement of every IUPAC nucleotide code, in its case; other bytes stay as they are.
inline constexpr auto complements = [] {
  std::array<char, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte)
    table[byte] = static_cast<char>(byte);
  constexpr std::string_view codes = "ACGTURYKMBDHV", others = "TGCAAYRMKVHDB";
  for (std::size_t i = 0; i < codes.size(); ++i) {
    table[static_cast<unsigned char>(codes[i])] = others[i];
    table[static_cast<unsigned char>(codes[i] | 0x20)] = static_cast<char>(others[i] | 0x20);
  }
  return table;
}();

inline void reverse_complement(std::string& symbols) {
  std::reverse(symbols.begin(), symbols.end());
  for (char& symbol : symbols)
    symbol = complements[static_cast<unsigned char>(symbol)];
}

}  // namespace gsx
