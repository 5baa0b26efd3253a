// The two places that may be the source of the phrase that begins at a position.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "arrays/minima/nearest_smaller.hpp"

namespace gsx {

/// The nearest rows above and below the row of a position that hold smaller positions: these
/// positions, or no_position. No earlier suffix agrees with the position's own on more symbols than
/// the better of the two does. Both lie in one cache line.
template <class Pos>
struct SourceCandidates {
  Pos above;
  Pos below;
};

/// Writes candidates[p] for each position p in `rows`, which are all positions of a text, or all
/// but those of its separators, in suffix order. Other entries stay as they are. Memory: that of
/// nearest smaller values, which `require` is asked for. Cost: their cost, and one random write per
/// row.
template <class Pos>
void find_candidates(std::span<const Pos> rows, std::span<SourceCandidates<Pos>> candidates,
                     int threads, const RequireMemory& require = {}) {
  constexpr std::uint64_t ahead = 24;  // rows
  const Pos* const positions = rows.data();
  SourceCandidates<Pos>* const out = candidates.data();
  const std::uint64_t count = rows.size();
  const auto position_at = [positions](Pos row) {
    return row == no_position<Pos> ? row : positions[row];
  };
  for_each_nearest_smaller<Smaller::strictly, Smaller::strictly, Pos>(
      rows, threads,
      [=](Pos row, Pos above, Pos below) {
        out[positions[row]] = {position_at(above), position_at(below)};
      },
      [=](std::uint64_t row) {
        __builtin_prefetch(out + positions[std::min(row + ahead, count - 1)], 1);
      },
      require);
}

}  // namespace gsx
