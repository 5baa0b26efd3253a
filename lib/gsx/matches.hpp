// Maximal matches of queries with an index, and matching statistics.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/export.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "search/matches/match_values.hpp"

namespace gsx {

/// The maximal matches (SMEMs) of a query: its intervals of at least request.min_length symbols (1
/// or more) that occur in the text on a strand that is searched, and lie in no longer such interval
/// (Li, 2012, for both strands). They are in order: begins and ends ascend. A symbol that the
/// index's alphabet does not have matches nothing, and no match crosses the end of a record, or a
/// run of such symbols in it. A match is where its symbols are: give them to locate()
/// (gsx/search.hpp). Without a complement, only the forward strand is searched. Throws UsageError
/// for the reverse strand alone of such an index, for a min_length of 0 and for an index in shards,
/// ResourceError. Works on the calling thread.
/// Cost: about two ranks per symbol of a window of min_length per match, sample_rate steps for each
/// row that is compared with the text, and a comparison with the text per match.
GSX_API std::vector<MaximalMatch> maximal_matches(const Index& index, std::string_view query,
                                                  const MatchRequest& request = {});

/// Which matching statistics to make.
struct LengthRequest {
  Strands strands = Strands::both;  ///< of both, the longer match counts
  bool ending = false;  ///< measure the matches that end with a position; else that start there
};

/// Matching statistics (Chang and Lawler, 1994): [query.size()], for each position of the query the
/// length of the longest match that starts there, or that ends with it; 0 if its symbol matches
/// nothing. Throws UsageError for the reverse strand alone without a complement and for an index in
/// shards, ResourceError. Works on the calling thread.
/// Cost: that of all maximal matches.
GSX_API std::vector<std::uint64_t> match_lengths(const Index& index, std::string_view query,
                                                 const LengthRequest& request = {});

/// Lengths of consecutive positions of a query. Chunks follow one another without a gap; a query
/// without symbols has none. Valid during the call.
struct LengthChunk {
  std::size_t query;                       ///< its number in the batch
  std::uint64_t begin;                     ///< the first position
  std::span<const std::uint64_t> lengths;  ///< at most 2^16
};
/// As MatchSink.
using LengthSink = std::function<void(const LengthChunk& chunk)>;

/// Searches batches of queries for maximal matches, on all cores or on a GPU: a query that is long
/// alone, too.
/// Several threads may call.
class GSX_API MaximalMatchSearcher {
 public:
  /// Owns the index together with the Index that it was given. Throws DeviceError where a GPU was
  /// demanded, UsageError for an index in shards and for options with `circular` or `regions`,
  /// ResourceError.
  explicit MaximalMatchSearcher(const Index& index, const SearchOptions& options = {});
  MaximalMatchSearcher(MaximalMatchSearcher&&) noexcept;
  MaximalMatchSearcher& operator=(MaximalMatchSearcher&&) noexcept;
  ~MaximalMatchSearcher();

  /// What does the work, as BatchSearcher::device() says it.
  std::string device() const;

  /// Gives `sink` the maximal matches of all queries, as maximal_matches() finds them, chunk by
  /// chunk, in the order of the queries. Each thread holds a bounded number of matches, however
  /// long a query is. One call of the sink at a time, by any of the threads; what it throws ends
  /// the work and comes out here. Throws UsageError for an empty sink, for a min_length of 0 and
  /// for the reverse strand alone without a complement, ResourceError.
  void matches(std::span<const std::string_view> queries, const MatchRequest& request,
               const MatchSink& sink) const;

  /// Gives `sink` the lengths of all queries, as match_lengths() finds them, in the way and with
  /// the errors of matches().
  void lengths(std::span<const std::string_view> queries, const LengthRequest& request,
               const LengthSink& sink) const;

  /// Which queries match: [queries], 1 for one that has a maximal match, or if min_cover is not 0,
  /// whose maximal matches cover at least this part of its symbols; 0 for others. Throws as
  /// matches() does, and UsageError for a min_cover outside 0 to 1. Cost: without min_cover, one
  /// match is enough, which is found sooner than all.
  std::vector<std::uint8_t> which_match(std::span<const std::string_view> queries,
                                        const MatchRequest& request, double min_cover = 0) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx
