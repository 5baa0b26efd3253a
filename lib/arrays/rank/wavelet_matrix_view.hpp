// A 4-ary wavelet matrix: rank, access and select for any alphabet.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arrays/rank/quad_view.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// A sequence of codes in [0, 4^levels), stored as one sequence of digits per level, the highest
/// digit first. Each level holds the codes stably sorted by the digit of the level above (Claude
/// and Navarro, 2012, with four digits instead of two). So no tree is stored: sorted_rank leads
/// from level to level. DNA has one level, and a rank reads one sector. Only level 0 has holes
/// (separators).
/// Memory: 2.68 bits per symbol and level: 1 level for DNA, 3 for protein, 4 for bytes.
struct WaveletMatrixView {
  static constexpr std::uint32_t max_levels = 4;

  QuadView levels[max_levels];
  std::uint32_t level_count = 0;

  GSX_HD std::uint64_t size() const { return levels[0].size; }
  GSX_HD std::uint32_t digit_of(std::uint32_t code, std::uint32_t level) const {
    return code >> (2 * (level_count - 1 - level)) & 3;
  }

  /// sorted_rank of all levels in turn: the index, after the stable sort of the last level, of the
  /// first occurrence of `code` in [i, size). It is rank(code, i) plus the start of the range of
  /// `code` in that order. Pre: code < 4^levels, i <= size. Cost: one sorted_rank per level.
  template <Reuse reuse = Reuse::likely, class Pos>
  GSX_HD Pos sorted_rank(std::uint32_t code, Pos i) const {
    for (std::uint32_t level = 0; level < level_count; ++level) {
      i = levels[level].sorted_rank<reuse>(digit_of(code, level), i);
    }
    return i;
  }
  /// Replaces two positions by their sorted_rank. Pre: begin <= end. Cost: one sector per level if
  /// the positions are close together, otherwise two.
  template <class Pos>
  GSX_HD void sorted_ranks(std::uint32_t code, Pos& begin, Pos& end) const {
    for (std::uint32_t level = 0; level < level_count; ++level) {
      levels[level].sorted_ranks(digit_of(code, level), QuadView::block_position(begin),
                                 end - begin, begin, end);
    }
  }
  /// Occurrences of `code` in [0, i). Pre: i <= size().
  GSX_HD std::uint64_t rank(std::uint32_t code, std::uint64_t i) const {
    return sorted_rank(code, i) - sorted_rank(code, std::uint64_t{0});
  }
  /// Code at position i. Pre: i < size() and i is not a hole. Cost: one sector per level, which
  /// serves the digit and its rank.
  GSX_HD std::uint32_t access(std::uint64_t i) const {
    std::uint32_t code = 0;
    for (std::uint32_t level = 0; level < level_count; ++level) {
      const std::uint32_t d = levels[level].digit(i);
      code = code << 2 | d;
      if (level + 1 < level_count) i = levels[level].sorted_rank(d, i);
    }
    return code;
  }
  /// Returns the code at position i and replaces i by its sorted_rank for that code. Pre: i <
  /// size() and i is not a hole. Cost: one sector per level.
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

  /// Position of the occurrence of `code` that has `k` occurrences before it. Pre: k < rank(code,
  /// size()). Cost: one select per level, from the last up.
  template <Reuse reuse = Reuse::likely>
  GSX_HD std::uint64_t select(std::uint32_t code, std::uint64_t k) const {
    std::uint64_t i = sorted_rank(code, std::uint64_t{0}) + k;
    for (std::uint32_t level = level_count; level-- > 0;) {
      const std::uint32_t d = digit_of(code, level);
      i = levels[level].sorted_select<reuse>(d, i);
    }
    return i;
  }
};
static_assert(std::is_trivially_copyable_v<WaveletMatrixView>);

}  // namespace gsx
