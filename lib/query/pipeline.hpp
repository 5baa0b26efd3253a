// Read | search | write: batches in, text out, in input order.
#pragma once

#include <functional>
#include <memory>
#include <semaphore>
#include <string>

#include "backend/backend.hpp"
#include "base/output.hpp"
#include "base/stage_times.hpp"
#include "query/patterns.hpp"
#include "seq/batch_workers.hpp"

namespace gsx {

/// What a query command does with a batch. Each thread has one of its own, which may keep memory
/// from batch to batch.
class QueryTask {
 public:
  virtual ~QueryTask() = default;
  virtual void search(const Searcher& searcher, const Patterns& patterns) = 0;
  /// Appends the results of the last search as text. `queries` are what was searched for.
  virtual void format(const RecordBatch& queries, std::string& text) = 0;
};

struct Pipeline {
  const Searcher& searcher;
  const Alphabet& alphabet;
  int threads = 1;              ///< that parse, encode and format
  StageTimes* times = nullptr;  ///< where the time goes, if anyone asks
};

/// Runs threads, each of which takes the next batch from `next`, encodes it, searches, formats what
/// was found, and writes it when all earlier batches have been written. There are as many as the
/// pipeline or its searcher wants, but never more in a search than the searcher wants. The output
/// does not depend on the number of threads or on where batches end.
/// An error stops all threads and is rethrown; everything written before it is right and in order,
/// and if it came from `next`, that is all there is before it.
void run_pipeline(const Pipeline& pipeline, const NextBatch& next, Output& out,
                  const std::function<std::unique_ptr<QueryTask>()>& make_task);

}  // namespace gsx
