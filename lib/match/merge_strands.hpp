// Makes the maximal matches of a query of those of its strands.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "match/match_walk.hpp"
#include "match/matches.hpp"

namespace gsx {

/// Adds to `matches` the maximal matches of a stretch of a query that begins at `offset`. `forward`
/// are the matches of its forward strand, `reverse` those of its reverse complement, in coordinates
/// of that strand, which has `length` symbols; begins and ends ascend in both. A match inside one
/// of the other strand is none; equal ones are one, with both counts. Cost: one pass.
void merge_strands(std::span<const StrandMatch> forward, std::span<const StrandMatch> reverse,
                   std::uint64_t offset, std::uint64_t length, std::vector<MaximalMatch>& matches);

}  // namespace gsx
