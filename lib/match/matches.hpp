// Maximal matches of queries: what is asked, what is found, and who answers.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/hits.hpp"
#include "search/searcher.hpp"

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

/// Finds all maximal matches, completely. Several threads may call const functions at once; a call
/// uses as many threads as other calls leave it.
class MatchSearcher {
 public:
  virtual ~MatchSearcher() = default;
  /// Gives `sink` the maximal matches of each query that are long enough, chunk by chunk. A call
  /// holds a bounded number of matches, however long a query is.
  virtual void stream_matches(const Patterns& queries, const MatchRequest& request,
                              const MatchSink& sink) const = 0;
  /// How many queries a call should hold where there are so many.
  virtual std::size_t best_batch() const { return 4096; }
};

/// The strings of matches as patterns. Their hits, which a Searcher gives in bounded memory, are
/// the places of the matches, with the counts of the matches.
class MatchPatterns {
 public:
  void clear() {
    codes_.clear();
    ends_.clear();
  }
  /// Adds a match of `query`, whose codes are copied.
  void add(std::span<const std::uint8_t> query, const MaximalMatch& match) {
    const auto codes = query.subspan(match.begin, match.length);
    codes_.insert(codes_.end(), codes.begin(), codes.end());
    ends_.push_back(codes_.size());
  }
  std::size_t size() const { return ends_.size(); }
  std::uint64_t symbols() const { return codes_.size(); }
  Patterns patterns() const { return {codes_, ends_}; }

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
};

/// A place of the text and a place of a query that match, and cannot be extended on either side
/// (MEM). On the reverse strand, the reverse complement of the query's interval is at the place of
/// the text. Pairs compare by the place of the text, then strand, then the place of the query.
struct MatchPair {
  std::uint64_t target;  ///< where it begins in the text
  bool reverse;
  std::uint64_t query;  ///< where it begins in the query as given
  std::uint64_t length;

  friend auto operator<=>(const MatchPair&, const MatchPair&) = default;
};

/// Which pairs to find: those of strings that are unique, and where.
enum class PairUniqueness : std::uint8_t {
  none,          ///< all pairs
  target,        ///< once in the text, on its forward strand
  both,          ///< and once in the query, on the strand of the pair
  both_strands,  ///< once in the text and once in the query, both strands counted together
};

struct PairRequest {
  Strands strands = Strands::both;
  std::uint64_t min_length = 1;  ///< at least 1
  PairUniqueness unique = PairUniqueness::none;
};

}  // namespace gsx
