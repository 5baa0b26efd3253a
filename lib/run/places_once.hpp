// Searches with mismatches that report a place once, even if a pattern matches it on both strands.
#pragma once

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// How the strands of a pattern may meet at one place of the text.
enum class StrandMeeting : std::uint8_t {
  never,      ///< no place matches on both strands
  sometimes,  ///< a place may match on both strands, with different numbers of mismatches
  always,     ///< the pattern is its own reverse complement: both strands match the same places
};

/// Pre: no position of the pattern must match.
StrandMeeting strand_meeting(std::span<const BaseSet> pattern, std::uint32_t mismatches);

/// Sets `counts` as searcher.count() does, but each place counts once: on the strand with fewer
/// mismatches, of equal ones the forward strand. Pre: request.strands is both.
/// Cost: that of giving all hits.
void count_places_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                       const MismatchRequest& request, MismatchCounts& counts);

/// Gives `sink` the same places, as searcher.stream() does. Cost: that of giving all hits
/// twice. Memory: 8 bytes for some hits, however many there are.
void stream_places_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                        const MismatchRequest& request, const HitSink& sink);

}  // namespace gsx
