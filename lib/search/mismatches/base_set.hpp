// Sets of bases: what a letter of a degenerate pattern may match.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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

/// Number of bases of a set.
GSX_HD constexpr unsigned bases_of(BaseSet set) {
  // A library function counts bits where the CPU's instruction for it may not be used.
  return (set & 1U) + (set >> 1 & 1U) + (set >> 2 & 1U) + (set >> 3 & 1U);
}

GSX_HD constexpr bool is_any(BaseSet set) {
  return (set & base_sets::any) == base_sets::any;
}

/// Whether it has one base.
GSX_HD constexpr bool is_single(BaseSet set) {
  const unsigned bases = set & base_sets::any;
  return bases != 0 && (bases & (bases - 1)) == 0;
}

/// Whether it must match.
GSX_HD constexpr bool is_strict(BaseSet set) {
  return (set & base_sets::must_match) != 0;
}

/// Whether it has one base, which may be a mismatch.
GSX_HD constexpr bool is_base(BaseSet set) {
  return is_single(set) && !is_strict(set);
}

/// The code of a set of one base; without a branch, so that 16 are made at a time.
GSX_HD constexpr std::uint8_t code_of(BaseSet set) {
  return static_cast<std::uint8_t>((set & base_sets::any) / 2 - (set & base_sets::any) / 8);
}

/// The set of the complements of a set's bases; keeps must_match.
GSX_HD constexpr BaseSet complement_of(BaseSet set) {
  return static_cast<BaseSet>((set & 1) << 3 | (set & 2) << 1 | (set & 4) >> 1 | (set & 8) >> 3 |
                              (set & base_sets::must_match));
}

/// Whether a pattern is an ordinary one: each position matches one base, and none must match.
/// Cost: 16 positions at a time.
bool is_plain(std::span<const BaseSet> pattern);

/// The set of an IUPAC nucleotide letter of either case, U as T, and I (inosine) as N; `none` for
/// every other byte.
BaseSet iupac_base_set(char letter);

/// The set of the letter if it is A, C, G, T or U; otherwise `none`.
BaseSet plain_base_set(char letter);

/// Writes to `sets` those of the letters, one each: as IUPAC codes, or as bases.
void encode_base_sets(std::string_view letters, bool iupac, BaseSet* sets);

}  // namespace gsx
