// What the queries of a run came to: figures, and those without a hit.
#pragma once

#include <cstddef>
#include <string>

#include "io/output.hpp"
#include "query/query_figures.hpp"

namespace gsx {

/// Adds up all batches.
class QueryTally {
 public:
  /// `unmatched` takes the queries without a hit, as FASTA; null when nobody asks for them.
  explicit QueryTally(const Alphabet& alphabet, Output* unmatched = nullptr)
      : alphabet_(alphabet), unmatched_(unmatched) {}

  const Alphabet& alphabet() const { return alphabet_; }
  bool wants_unmatched() const { return unmatched_ != nullptr; }
  const QueryFigures& figures() const { return figures_; }
  /// Adds a batch; in input order.
  void add(const QueryFigures& figures, const std::string& unmatched);

 private:
  const Alphabet& alphabet_;
  Output* unmatched_;
  QueryFigures figures_;
};

/// The part of one thread: its batch, until that is committed.
class BatchTally {
 public:
  /// With no `run` to add to, nothing is tallied.
  BatchTally(QueryTally* run, std::uint64_t max_hits) : run_(run), max_hits_(max_hits) {}

  /// Forgets the batch before. Pre: `patterns` are `queries`, encoded.
  void begin(const RecordBatch& queries, const Patterns& patterns);
  /// Adds query `i`; each once, in order.
  void add(const RecordBatch& queries, std::size_t i, const StrandCounts& counts) {
    if (run_ == nullptr) return;
    figures_.add_query(counts, max_hits_);
    if (counts.total() == 0 && run_->wants_unmatched()) add_unmatched(queries, i);
  }
  /// Adds the queries of a chunk, each once: not in the chunks that go on with it.
  void add(const RecordBatch& queries, const HitChunk& chunk) {
    for (std::size_t i = chunk.before > 0 ? 1 : 0; i < chunk.patterns(); ++i)
      add(queries, chunk.first + i, chunk.counts[i]);
  }
  void commit();

 private:
  void add_unmatched(const RecordBatch& queries, std::size_t i);

  QueryTally* run_;
  std::uint64_t max_hits_;
  QueryFigures figures_;
  std::string unmatched_;
};

}  // namespace gsx
