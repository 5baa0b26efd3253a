#include "run/palindromes.hpp"

#include "text/alphabet.hpp"

namespace gsx {

bool is_own_reverse_complement(std::span<const std::uint8_t> codes) {
  if (codes.empty() || codes.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < codes.size() / 2; ++i) {
    if (codes[i] == Alphabet::none) return false;
    if (codes[i] != complement(codes[codes.size() - 1 - i])) return false;
  }
  return true;
}

void count_palindromes_once(const Patterns& patterns, std::vector<StrandCounts>& counts) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (counts[i].reverse != 0 && is_own_reverse_complement(patterns[i])) counts[i].reverse = 0;
  }
}

}  // namespace gsx
