// Read | search | write: batches in, text out, in input order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/stage_times.hpp"
#include "base/text_pieces.hpp"
#include "io/output.hpp"
#include "query/patterns.hpp"
#include "search/searcher.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// A batch on its way through the pipeline.
struct QueryBatch {
  const RecordBatch& queries;
  Patterns patterns;  ///< the queries, encoded
  TextPieces& text;   ///< takes the results, in the order of the queries
  StageClock& clock;  ///< stands at Stage::encode's end
  /// The query at work, as far as the task knows: for the message when memory runs out.
  std::size_t at = 0;
};

/// What a query command does with a batch. Each thread has one of its own, which may keep memory
/// from batch to batch.
class QueryTask {
 public:
  virtual ~QueryTask() = default;
  /// Searches, and appends the results as text; calls check() of the text so often that it does
  /// not grow far beyond its bound. What remains on the clock at the end is Stage::format.
  virtual void run(const Searcher& searcher, QueryBatch& batch) = 0;
  /// The batch's text has been written; one batch at a time, in input order, over all tasks.
  virtual void commit() {}
};

struct Pipeline {
  const Searcher& searcher;
  const Alphabet& alphabet;
  int threads = 1;              ///< that parse, encode, search and format
  StageTimes* times = nullptr;  ///< where the time goes, if anyone asks
  /// Text that a thread holds before it waits for its batch's turn and writes.
  std::size_t piece_bytes = std::size_t{4} << 20;
};

/// Runs threads, each of which takes the next batch from `next`, encodes it, searches, formats what
/// was found, and writes it when all earlier batches have been written. A batch of much text is
/// written in pieces as it is found. The output does not depend on the number of threads or on
/// where batches end.
/// An error stops all threads and is rethrown; everything written before it is right and in order,
/// and if it came from `next`, that is all there is before it. OutOfMemoryError and std::bad_alloc
/// of a search come out as OutOfMemoryError that names the query.
void run_pipeline(const Pipeline& pipeline, const NextBatch& next, Output& out,
                  const std::function<std::unique_ptr<QueryTask>()>& make_task);

}  // namespace gsx
