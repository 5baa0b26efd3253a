// How many digits the symbols of a wavelet sequence take.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/wavelet/wavelet_tree.hpp"

namespace gsx {

/// Digits of a code in the balanced shape for `symbols` symbols; 1 for one symbol, 0 for none. Pre:
/// symbols <= 2^32.
std::uint32_t balanced_length(std::uint64_t symbols);

/// The tree that takes the fewest digits for symbols which occur `counts` times each, among those
/// of at most 16 levels, or little more: where Huffman's tree is deeper, rare symbols count as more
/// frequent than they are. Pre: no count is 0; at most 2^32 - 1 symbols. Cost: O(n log n) for n
/// symbols. Memory: some 40 bytes per symbol.
WaveletTree huffman_tree(std::span<const std::uint64_t> counts);

}  // namespace gsx
