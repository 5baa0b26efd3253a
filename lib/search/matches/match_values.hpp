// Maximal matches of queries: what is asked, and what is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "search/exact/hits.hpp"

namespace gsx {

/// An interval of a query that occurs in the text on a strand that is searched, and lies in no
/// longer such interval (SMEM). `counts` are its occurrences, as Searcher counts them: a match that
/// is its own reverse complement counts on both strands. Symbols outside the alphabet match
/// nothing, and no occurrence crosses the end of a segment.
struct MaximalMatch {
  std::uint64_t begin;  ///< in the query as given
  std::uint64_t length;
  StrandCounts counts;

  std::uint64_t end() const { return begin + length; }
  bool contains(const MaximalMatch& other) const {
    return begin <= other.begin && end() >= other.end();
  }
  friend bool operator==(const MaximalMatch& a, const MaximalMatch& b) {
    return a.begin == b.begin && a.length == b.length && a.counts.forward == b.counts.forward &&
           a.counts.reverse == b.counts.reverse;
  }
};

/// Which maximal matches to find. If the alphabet has no complement, only the forward strand is
/// searched.
struct MatchRequest {
  Strands strands = Strands::both;
  std::uint64_t min_length = 1;  ///< at least 1
};

/// Matches of consecutive queries of a batch. Chunks follow one another without a gap. The matches
/// of a long query may be spread over several chunks, each of which but the last then holds at
/// least one of them. Valid during the call.
struct MatchChunk {
  std::size_t first = 0;                  ///< number of the first query in the batch
  std::uint64_t before = 0;               ///< matches of the first query in earlier chunks
  bool whole = true;                      ///< whether the last query has no matches in later chunks
  std::span<const std::uint64_t> ends;    ///< end of each query's matches in `matches`
  std::span<const MaximalMatch> matches;  ///< those of each query in order: begins and ends ascend

  std::size_t queries() const { return ends.size(); }
  /// Matches of the i-th query of the chunk.
  std::span<const MaximalMatch> of(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return matches.subspan(begin, ends[i] - begin);
  }
};

/// Takes the chunks of a batch, in order, one call at a time. What it throws ends the work and
/// comes out of the call that was given the sink.
using MatchSink = std::function<void(const MatchChunk& chunk)>;

}  // namespace gsx
