// Sets of bases: what a letter of a degenerate pattern may match.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"

namespace gsx {

/// Which bases a position of a pattern matches: bit c stands for the base with code c (A 0, C 1,
/// G 2, T 3). `must_match` beside the set says that a mismatch there rules the place out, as in a
/// PAM. The empty set is a mismatch everywhere.
using BaseSet = std::uint8_t;

namespace base_sets {
inline constexpr BaseSet none = 0;
inline constexpr BaseSet any = 15;
inline constexpr BaseSet must_match = 16;
}  // namespace base_sets

GSX_HD constexpr bool has_base(BaseSet set, std::uint32_t code) {
  return (set >> code & 1) != 0;
}

/// The set of the complements of a set's bases; keeps must_match.
GSX_HD constexpr BaseSet complement_of(BaseSet set) {
  return static_cast<BaseSet>((set & 1) << 3 | (set & 2) << 1 | (set & 4) >> 1 | (set & 8) >> 3 |
                              (set & base_sets::must_match));
}

/// The set of an IUPAC nucleotide letter of either case, U as T; `none` for every other byte.
BaseSet iupac_base_set(char letter);

/// The set of the letter if it is A, C, G, T or U; otherwise `none`.
BaseSet plain_base_set(char letter);

}  // namespace gsx
