// Tallies the queries of a run: figures, and the queries without a hit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bytes/output.hpp"
#include "run/odd_symbols.hpp"
#include "search/exact/searcher.hpp"
#include "search/mismatches/unasked.hpp"

namespace gsx {

/// The figures of a run, or of a part of it.
struct QueryFigures {
  std::uint64_t queries = 0;
  std::uint64_t with_hits = 0;
  std::uint64_t hits = 0;
  std::uint64_t hits_reverse = 0;  ///< those on the reverse strand
  std::uint64_t truncated = 0;     ///< queries whose hits are not all reported
  std::uint64_t reported = 0;      ///< hits reported
  std::uint64_t like_dna = 0;      ///< queries of a protein index that look like DNA
  OddQueries odd;
  UnaskedQueries unasked;  ///< of a search with mismatches

  void add_query(const StrandCounts& counts, std::uint64_t max_hits) {
    const std::uint64_t total = counts.total();
    ++queries;
    with_hits += total != 0 ? 1 : 0;
    hits += total;
    hits_reverse += counts.reverse;
    truncated += total > max_hits ? 1 : 0;
    reported += std::min(total, max_hits);
  }
  /// Adds the figures of a later part.
  void add(const QueryFigures& later) {
    queries += later.queries;
    with_hits += later.with_hits;
    hits += later.hits;
    hits_reverse += later.hits_reverse;
    truncated += later.truncated;
    reported += later.reported;
    like_dna += later.like_dna;
    odd.add(later.odd);
    unasked.add(later.unasked);
  }
};

/// The tally of a run.
class QueryTally {
 public:
  /// Writes queries without a hit to `unmatched`, as FASTA; null if they are not wanted.
  explicit QueryTally(const Alphabet& alphabet, Output* unmatched = nullptr)
      : alphabet_(alphabet), unmatched_(unmatched) {}

  const Alphabet& alphabet() const { return alphabet_; }
  bool wants_unmatched() const { return unmatched_ != nullptr; }
  const QueryFigures& figures() const { return figures_; }
  /// Adds a batch. Batches must come in input order.
  void add(const QueryFigures& figures, const std::string& unmatched);

 private:
  const Alphabet& alphabet_;
  Output* unmatched_;
  QueryFigures figures_;
};

/// The tally of one thread's batch, until it is finished.
class BatchTally {
 public:
  /// If `run` is null, nothing is tallied. If `part` is not 0, each part of so many symbols of a
  /// query may match.
  BatchTally(QueryTally* run, std::uint64_t max_hits, std::uint64_t part = 0)
      : run_(run), max_hits_(max_hits) {
    if (run != nullptr && part != 0) check_.emplace(run->alphabet(), part);
  }

  /// Starts a batch and forgets the one before. Pre: `patterns` are `queries`, encoded.
  void begin(const RecordBatch& queries, const Patterns& patterns);
  /// Starts a batch of queries of which parts may match; add_parts() follows.
  void begin(const RecordBatch& queries);
  /// Starts a batch of a search with mismatches. If `all_asked`, each query is known to be
  /// searched.
  void begin(const RecordBatch& queries, const MismatchRules& rules, bool all_asked);
  /// Adds query `i`; each query once, in order.
  void add(const RecordBatch& queries, std::size_t i, const StrandCounts& counts) {
    if (run_ == nullptr) return;
    figures_.add_query(counts, max_hits_);
    if (counts.total() == 0 && run_->wants_unmatched()) add_unmatched(queries, i);
  }
  /// Adds query `i`, of which so many parts match; each query once, in order.
  void add_parts(const RecordBatch& queries, const Patterns& patterns, std::size_t i,
                 std::uint64_t matches) {
    add(queries, i, {matches, 0});
    if (matches == 0 && check_) check_->add(figures_.odd, queries, patterns, i);
  }
  /// Adds the queries of a chunk. Counts each once: not again in later chunks that hold more of its
  /// hits.
  void add(const RecordBatch& queries, const HitChunk& chunk) {
    for (std::size_t i = chunk.before > 0 ? 1 : 0; i < chunk.patterns(); ++i)
      add(queries, chunk.first + i, chunk.counts[i]);
  }
  /// About the bytes that finish() is about to return.
  std::size_t bytes() const { return unmatched_.size(); }
  /// Ends the batch; what is returned adds it to the run's tally.
  std::function<void()> finish();

 private:
  void add_unmatched(const RecordBatch& queries, std::size_t i);

  QueryTally* run_;
  std::uint64_t max_hits_;
  std::optional<StretchCheck> check_;
  QueryFigures figures_;
  std::string unmatched_;
};

}  // namespace gsx
