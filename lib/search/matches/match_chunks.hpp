// Chunks of matches on their way to a sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/matches/matches.hpp"

namespace gsx {

/// Collects the matches of one query after the other, and gives them to a sink in chunks.
class MatchChunks {
 public:
  /// Chunks of about `most` matches. The sink must outlive it.
  MatchChunks(const MatchSink& sink, std::uint64_t most) : sink_(sink), most_(most) {}

  /// Says that all matches of the queries before `query` are known.
  void close_until(std::size_t query);
  /// Adds a match of the first query that is not closed.
  void add(const MaximalMatch& match) { matches_.push_back(match); }
  /// Gives the sink what is there, if that is enough for a chunk. The first query that is not
  /// closed may have matches to come.
  void flush_if_full() {
    if (matches_.size() >= most_) flush(false);
  }
  /// Gives all matches of the queries that follow the closed ones, which closes them: ends[i] is
  /// the end of the i-th one's. Pre: the first query that is not closed has none yet.
  void give(std::span<const std::uint64_t> ends, std::span<const MaximalMatch> matches);
  /// Closes the queries before `queries`, and gives all that is left.
  void finish(std::size_t queries);

 private:
  void flush(bool ended);

  const MatchSink& sink_;
  std::uint64_t most_;
  std::size_t closed_ = 0;           ///< queries whose matches are all known
  std::uint64_t before_ = 0;         ///< matches of the first query here that the sink has taken
  std::vector<std::uint64_t> ends_;  ///< of the queries that are closed and not given yet
  std::vector<MaximalMatch> matches_;
};

/// Passes chunks on and remembers how far they got, as HitProgress does with hits.
class MatchProgress {
 public:
  explicit MatchProgress(const MatchSink& sink) : sink_(sink) {}
  /// Pre: chunk.first <= pattern().
  void pass_on(MatchChunk chunk);

  /// The first query whose matches have not all been passed on.
  std::size_t pattern() const { return query_; }
  /// Whether the sink is running or has thrown.
  bool in_sink() const { return in_sink_; }

 private:
  const MatchSink& sink_;
  std::size_t query_ = 0;
  std::uint64_t matches_ = 0;  ///< of that query that have been passed on
  bool in_sink_ = false;
  std::vector<std::uint64_t> ends_;
};

}  // namespace gsx
