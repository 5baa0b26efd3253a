// Checks that run on both sides: tests/unit calls them, kernels/testing calls them on the device.
// Each returns 0, or 1 + the first position that is wrong.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "rank/wavelet_view.hpp"

namespace gsx::checks {

/// What a test knows about a sequence: a code a position, or `hole`.
struct Expected {
  static constexpr std::uint8_t hole = 0xFF;
  const std::uint8_t* codes;
  std::uint64_t size;
  std::uint32_t sigma;
};

/// access and is_hole at every position.
GSX_HD std::uint64_t check_access(const WaveletView& view, const Expected& expected) {
  for (std::uint64_t i = 0; i < expected.size; ++i) {
    const bool hole = expected.codes[i] == Expected::hole;
    if (view.is_hole(i) != hole) return 1 + i;
    if (!hole && view.access(i) != expected.codes[i]) return 1 + i;
  }
  return 0;
}

/// rank and sorted_rank, 32 and 64 bits wide, of one code at every position up to and with the
/// end, and the number of holes before it.
GSX_HD std::uint64_t check_rank(const WaveletView& view, const Expected& expected,
                                std::uint32_t code) {
  const std::uint64_t base = view.sorted_rank(code, std::uint64_t{0});
  std::uint64_t count = 0, holes = 0;
  for (std::uint64_t i = 0; i <= expected.size; ++i) {
    if (view.rank(code, i) != count) return 1 + i;
    if (view.sorted_rank(code, static_cast<std::uint32_t>(i)) != base + count) return 1 + i;
    if (view.levels[0].holes_before(i) != holes) return 1 + i;
    if (i < expected.size) {
      count += expected.codes[i] == code;
      holes += expected.codes[i] == Expected::hole;
    }
  }
  return 0;
}

/// select of every occurrence of one code.
GSX_HD std::uint64_t check_select(const WaveletView& view, const Expected& expected,
                                  std::uint32_t code) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < expected.size; ++i) {
    if (expected.codes[i] != code) continue;
    if (view.select(code, count) != i) return 1 + i;
    ++count;
  }
  return 0;
}

}  // namespace gsx::checks
