// Checks that run on both sides: tests/unit calls them, and tests/device_calls calls them on the
// device. Each returns 0, or 1 + the first wrong position.
#pragma once

#include <cstdint>

#include "arrays/rank/wavelet_matrix_view.hpp"
#include "base/host_device.hpp"

namespace gsx::checks {

/// The sequence that a test expects: one code per position, or `hole`.
struct Expected {
  static constexpr std::uint8_t hole = 0xFF;
  const std::uint8_t* codes;
  std::uint64_t size;
  std::uint32_t sigma;
};

/// Checks access, access_and_rank and is_hole at every position.
GSX_HD std::uint64_t check_access(const WaveletMatrixView& view, const Expected& expected) {
  for (std::uint64_t i = 0; i < expected.size; ++i) {
    const bool hole = expected.codes[i] == Expected::hole;
    if (view.is_hole(i) != hole) return 1 + i;
    if (hole) continue;
    if (view.access(i) != expected.codes[i]) return 1 + i;
    std::uint64_t wide = i;
    auto narrow = static_cast<std::uint32_t>(i);
    if (view.access_and_rank(wide) != expected.codes[i]) return 1 + i;
    if (view.access_and_rank(narrow) != expected.codes[i]) return 1 + i;
    if (wide != view.sorted_rank(expected.codes[i], i) || narrow != wide) return 1 + i;
  }
  return 0;
}

/// Whether sorted_ranks of two positions differs from sorted_rank of each.
GSX_HD bool pair_differs(const WaveletMatrixView& view, std::uint32_t code, std::uint64_t begin,
                         std::uint64_t end) {
  auto first = static_cast<std::uint32_t>(begin), last = static_cast<std::uint32_t>(end);
  view.sorted_ranks(code, first, last);
  return first != view.sorted_rank(code, begin) || last != view.sorted_rank(code, end);
}

/// Checks rank, sorted_rank and sorted_ranks of one code, 32 and 64 bits wide, at every position up
/// to and including the end, and the number of holes before it.
GSX_HD std::uint64_t check_rank(const WaveletMatrixView& view, const Expected& expected,
                                std::uint32_t code) {
  const std::uint64_t base = view.sorted_rank(code, std::uint64_t{0});
  std::uint64_t count = 0, holes = 0;
  for (std::uint64_t i = 0; i <= expected.size; ++i) {
    if (view.rank(code, i) != count) return 1 + i;
    if (view.sorted_rank(code, static_cast<std::uint32_t>(i)) != base + count) return 1 + i;
    if (view.sorted_rank<Reuse::unlikely>(code, i) != base + count) return 1 + i;
    if (view.levels[0].holes_before(i) != holes) return 1 + i;
    if (pair_differs(view, code, i, i) || pair_differs(view, code, i - i % 7, i) ||
        pair_differs(view, code, i / 2, i)) {
      return 1 + i;
    }
    if (i < expected.size) {
      count += expected.codes[i] == code;
      holes += expected.codes[i] == Expected::hole;
    }
  }
  return 0;
}

/// Checks select for every occurrence of one code.
GSX_HD std::uint64_t check_select(const WaveletMatrixView& view, const Expected& expected,
                                  std::uint32_t code) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < expected.size; ++i) {
    if (expected.codes[i] != code) continue;
    if (view.select(code, count) != i) return 1 + i;
    if (view.select<Reuse::unlikely>(code, count) != i) return 1 + i;
    ++count;
  }
  return 0;
}

}  // namespace gsx::checks
