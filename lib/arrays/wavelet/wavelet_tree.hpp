// Which digits stand for which symbol in a wavelet sequence.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/wavelet/wavelet_code.hpp"

namespace gsx {

/// How long the codes of symbols are.
enum class WaveletShape : std::uint8_t {
  balanced,  ///< as many digits for each: the number of the symbol in base 4
  huffman,   ///< fewer digits for frequent symbols (Huffman 1952, with four digits)
};

/// A tree of codes. Its nodes of one depth have numbers: child d of node v has the number
/// d * open[depth] + v one level deeper. The inner nodes come first, then the leaves (Claude,
/// Navarro and Ordóñez, "The wavelet matrix", Information Systems 47, 2015, section 5, with four
/// digits instead of two). So a stable sort by the digit of a level leaves the symbols whose codes
/// end there behind all others, and the next level is a prefix of the result.
struct WaveletTree {
  static constexpr std::uint32_t max_levels = 16;

  std::uint32_t level_count = 0;            ///< digits of the longest code
  std::uint64_t open[max_levels + 1] = {};  ///< inner nodes of each depth; 1 of depth 0
  /// For each depth, leaves that are less deep: where its leaves begin in leaf_symbols.
  std::uint64_t leaves_before[max_levels + 1] = {};
  std::vector<std::uint32_t> leaf_symbols;  ///< symbols by depth, then by number of the leaf
  std::vector<WaveletCode> codes;           ///< of each symbol
};

}  // namespace gsx
