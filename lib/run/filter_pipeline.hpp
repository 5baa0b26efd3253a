// The pipeline of a filter: read, search, write, in input order.
#pragma once

#include <functional>

#include "base/cpu_path.hpp"
#include "base/stage_times.hpp"
#include "run/filter_writer.hpp"
#include "run/record_tally.hpp"
#include "text/alphabet.hpp"

namespace gsx {

struct FilterPipeline {
  const MatchSearcher& searcher;
  const Alphabet& alphabet;
  FilterRules rules;
  int threads = 1;              ///< each parses, encodes and searches
  StageTimes* times = nullptr;  ///< if not null, the times of the stages are added here
  CpuPath path = best_cpu_path();
  /// If not null, counts the reads that match by the records of `targets` and `segments`, whose
  /// places `places` finds.
  RecordTally* tally = nullptr;
  const Searcher* places = nullptr;
  RecordsView targets = {};
  SegmentsView segments = {};
  /// If there is one, called after each batch, one call at a time.
  std::function<void(const FilterFigures&)> report = {};
};

/// Runs threads that take the next batch from `next`, which keeps the bytes of records, and find
/// the reads that match. The writer decides and writes, one batch at a time and in the order of
/// batches; finish() of the writer is called at the end. What is written depends neither on the
/// number of threads nor on where batches end. An error stops all threads and is rethrown. Memory
/// that is short throws OutOfMemoryError.
void run_filter(const FilterPipeline& pipeline, const NextBatch& next, FilterWriter& writer);

}  // namespace gsx
