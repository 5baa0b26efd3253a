// A wavelet matrix of four-way nodes, level by level: rank, access and select for any alphabet.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "rank/quad_view.hpp"

namespace gsx {

/// A sequence of codes in [0, 4^levels), stored as one sequence of digits a level, the highest
/// digit first; each level holds the codes stably sorted by the digit of the level above (the
/// level-wise layout of Claude and Navarro's wavelet matrix, 2012). A symbol's node on every level
/// therefore starts where the sorted ranks of its digits lead, with no tree to store, and DNA is
/// one level: one sector a rank. Holes (separators) exist on level 0 only.
/// Price: 2.68 bits a symbol and level: 1 level for DNA, 3 for protein, 4 for bytes.
struct WaveletMatrixView {
  static constexpr std::uint32_t max_levels = 4;

  QuadView levels[max_levels];
  std::uint32_t level_count = 0;

  GSX_HD std::uint64_t size() const { return levels[0].size; }
  GSX_HD std::uint32_t digit_of(std::uint32_t code, std::uint32_t level) const {
    return code >> (2 * (level_count - 1 - level)) & 3;
  }

  /// Place, in the order of the last level's stable sort, of the first occurrence of `code` in
  /// [i, size): offset_of(code) plus the number of its occurrences in [0, i).
  /// Pre: code < 4^levels, i <= size. Cost: one sorted_rank a level.
  template <class Pos>
  GSX_HD Pos sorted_rank(std::uint32_t code, Pos i) const {
    for (std::uint32_t level = 0; level < level_count; ++level) {
      i = levels[level].sorted_rank(digit_of(code, level), i);
    }
    return i;
  }
  /// sorted_rank of two positions, `end` at or behind `begin`, each replaced by its own.
  /// Cost: one sector a level where few positions lie between them, else two.
  template <class Pos>
  GSX_HD void sorted_ranks(std::uint32_t code, Pos& begin, Pos& end) const {
    for (std::uint32_t level = 0; level < level_count; ++level) {
      levels[level].sorted_ranks(digit_of(code, level), QuadView::place_of(begin), end - begin,
                                 begin, end);
    }
  }
  /// Occurrences of `code` in [0, i). Pre: i <= size().
  GSX_HD std::uint64_t rank(std::uint32_t code, std::uint64_t i) const {
    return sorted_rank(code, i) - sorted_rank(code, std::uint64_t{0});
  }
  /// Code at position i. Pre: i < size() and i is not a hole. Cost: one sector a level for the
  /// digit, the same one for its rank.
  GSX_HD std::uint32_t access(std::uint64_t i) const {
    std::uint32_t code = 0;
    for (std::uint32_t level = 0; level < level_count; ++level) {
      const std::uint32_t d = levels[level].digit(i);
      code = code << 2 | d;
      if (level + 1 < level_count) i = levels[level].sorted_rank(d, i);
    }
    return code;
  }
  /// Code at position i, which is replaced by its sorted_rank for that code.
  /// Pre: i < size() and i is not a hole. Cost: one sector a level.
  template <class Pos>
  GSX_HD std::uint32_t access_and_rank(Pos& i) const {
    std::uint32_t code = 0;
    for (std::uint32_t level = 0; level < level_count; ++level)
      code = code << 2 | levels[level].digit_and_rank(i);
    return code;
  }
  template <class Pos>
  GSX_HD bool is_hole(Pos i) const {
    return levels[0].is_hole(i);
  }

  /// Position of the occurrence of `code` with `k` occurrences before it.
  /// Pre: k < rank(code, size()). Cost: one select a level, from the last up.
  GSX_HD std::uint64_t select(std::uint32_t code, std::uint64_t k) const {
    std::uint64_t i = sorted_rank(code, std::uint64_t{0}) + k;
    for (std::uint32_t level = level_count; level-- > 0;) {
      const std::uint32_t d = digit_of(code, level);
      i = levels[level].sorted_select(d, i);
    }
    return i;
  }
};
static_assert(std::is_trivially_copyable_v<WaveletMatrixView>);

}  // namespace gsx
