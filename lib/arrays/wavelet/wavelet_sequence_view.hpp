// Rank, access and select over integers of any alphabet, as queries and kernels see it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arrays/rank/quad_view.hpp"
#include "arrays/wavelet/wavelet_code.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// A sequence of symbols 0 to symbol_count - 1, the numbers of the distinct values in ascending
/// order. Each level holds one digit per element, in the order of a stable sort by the digit of the
/// level above, without the elements whose codes end above it (see WaveletTree).
/// Memory: 2.68 bits per digit; 24 bytes per distinct value, 36 in the Huffman shape; 4 bytes per
/// value up to the largest where these are few.
struct WaveletSequenceView {
  static constexpr std::uint32_t max_levels = 16;
  static constexpr std::uint64_t not_found = ~std::uint64_t{0};

  QuadView levels[max_levels];
  std::uint64_t open[max_levels + 1] = {};  ///< of the tree; not used in the balanced shape
  std::uint64_t leaves_before[max_levels + 1] = {};
  const std::uint64_t* values = nullptr;  ///< [symbol_count], ascending
  /// [symbol_count]: where the occurrences of a symbol begin once they are sorted by its last
  /// digit.
  const std::uint64_t* firsts = nullptr;
  const std::uint64_t* counts = nullptr;        ///< [symbol_count]: how often each symbol occurs
  const WaveletCode* codes = nullptr;           ///< [symbol_count]; null in the balanced shape
  const std::uint32_t* leaf_symbols = nullptr;  ///< [symbol_count]; see WaveletTree
  const std::uint32_t* symbols = nullptr;  ///< of each value < table_size; absent if there is none
  std::uint64_t table_size = 0;
  std::uint64_t symbol_count = 0;
  std::uint64_t size = 0;
  std::uint32_t level_count = 0;

  static constexpr std::uint32_t absent = ~std::uint32_t{0};

  /// Pre: symbol < symbol_count. Cost: a load in the Huffman shape, none in the balanced one.
  GSX_HD WaveletCode code_of(std::uint32_t symbol) const {
    if (codes != nullptr) return codes[symbol];
    return {symbol << (32 - 2 * level_count), level_count};
  }

  /// The symbol of a value; `absent` if the sequence has no such value. Cost: one load if the
  /// values are small or dense, otherwise a binary search among them.
  GSX_HD std::uint32_t symbol_of(std::uint64_t value) const {
    if (symbols != nullptr) return value < table_size ? symbols[value] : absent;
    std::uint64_t low = 0, high = symbol_count;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (values[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < symbol_count && values[low] == value ? static_cast<std::uint32_t>(low) : absent;
  }

  /// Where a walk down the levels is: an element, or the end of its code.
  struct Walk {
    std::uint64_t at;        ///< position on the level
    std::uint64_t node = 0;  ///< number of the node on the level
    std::uint32_t code = 0;  ///< the digits so far
  };
  /// Goes down one level; whether the code ends here. Pre: walk.at < levels[level].size.
  GSX_HD bool step(std::uint32_t level, Walk& walk) const {
    const std::uint32_t d = levels[level].digit_and_rank(walk.at);
    walk.code = walk.code << 2 | d;
    if (codes == nullptr) return level + 1 == level_count;
    walk.node += d * open[level];
    return walk.node >= open[level + 1];
  }
  /// The symbol at the end of a walk of `length` steps.
  GSX_HD std::uint32_t symbol_at_end(const Walk& walk, std::uint32_t length) const {
    if (codes == nullptr) return walk.code;
    return leaf_symbols[leaves_before[length] + walk.node - open[length]];
  }

  /// Symbol at position i. Pre: i < size. Cost: one sector per digit of its code.
  GSX_HD std::uint32_t symbol_at(std::uint64_t i) const {
    Walk walk{i};
    std::uint32_t level = 0;
    while (!step(level++, walk)) {
    }
    return symbol_at_end(walk, level);
  }
  /// Value at position i. Pre: i < size.
  GSX_HD std::uint64_t access(std::uint64_t i) const { return values[symbol_at(i)]; }

  /// Occurrences of a symbol in [0, i). Pre: symbol < symbol_count, i <= size. Cost: one sector per
  /// digit of its code, one load, and that of code_of().
  template <Reuse reuse = Reuse::likely>
  GSX_HD std::uint64_t rank_of_symbol(std::uint32_t symbol, std::uint64_t i) const {
    const WaveletCode code = code_of(symbol);
    for (std::uint32_t level = 0; level < code.length; ++level)
      i = levels[level].template sorted_rank<reuse>(code.digit(level), i);
    return i - firsts[symbol];
  }
  /// Occurrences of a value in [0, i); 0 for one that does not occur. Pre: i <= size.
  template <Reuse reuse = Reuse::likely>
  GSX_HD std::uint64_t rank(std::uint64_t value, std::uint64_t i) const {
    const std::uint32_t symbol = symbol_of(value);
    return symbol == absent ? 0 : rank_of_symbol<reuse>(symbol, i);
  }

  /// Position of the occurrence of a symbol that has k before it; not_found if it has at most k.
  /// Pre: symbol < symbol_count. Cost: one select per digit, from the last up.
  template <Reuse reuse = Reuse::likely>
  GSX_HD std::uint64_t select_symbol(std::uint32_t symbol, std::uint64_t k) const {
    if (k >= counts[symbol]) return not_found;
    const WaveletCode code = code_of(symbol);
    std::uint64_t i = firsts[symbol] + k;
    for (std::uint32_t level = code.length; level-- > 0;)
      i = levels[level].template sorted_select<reuse>(code.digit(level), i);
    return i;
  }
  /// The position of the k-th occurrence of a value, from 0 on; not_found if there are not so many.
  template <Reuse reuse = Reuse::likely>
  GSX_HD std::uint64_t select(std::uint64_t value, std::uint64_t k) const {
    const std::uint32_t symbol = symbol_of(value);
    return symbol == absent ? not_found : select_symbol<reuse>(symbol, k);
  }
};
static_assert(std::is_trivially_copyable_v<WaveletSequenceView>);

}  // namespace gsx
