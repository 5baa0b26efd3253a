// The query pipeline: read, search, write, in input order.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "base/batch_size.hpp"
#include "base/stage_times.hpp"
#include "base/text_pieces.hpp"
#include "bytes/output.hpp"
#include "records/record_batch.hpp"
#include "run/patterns.hpp"
#include "search/exact/searcher.hpp"

namespace gsx {

/// A batch on its way through the pipeline.
struct QueryBatch {
  const RecordBatch& queries;
  Patterns patterns;  ///< the queries, encoded
  TextPieces& text;   ///< takes the results, in the order of the queries
  StageClock& clock;  ///< has just been restarted
  /// The query being worked on, as far as the task knows; for the message when memory runs out.
  std::size_t at = 0;
};

/// What a query command does with a batch. Each thread has its own task, which may keep memory from
/// batch to batch.
class QueryTask {
 public:
  virtual ~QueryTask() = default;
  /// Searches, with `searcher` if the search is exact, and appends the results as text. Calls
  /// check() of the text often enough that it does not grow far beyond its bound. Time left on the
  /// clock at the end counts as Stage::format.
  virtual void run(const Searcher* searcher, QueryBatch& batch) = 0;
  /// What run() asks the searcher, if it makes one call, of count() or stream() and for all
  /// patterns of the batch, with this request. The pipeline may then start the search early: run()
  /// gets what was started as the searcher.
  virtual std::optional<SearchRequest> request() const { return {}; }
  /// Ends the batch: returns what is to be done when its text has been written, one batch at a time
  /// and in input order over all tasks; by any thread, also while this task runs a later batch.
  virtual std::function<void()> finish() { return {}; }
  /// About the bytes that what finish() is about to return holds; by default, they count as many.
  virtual std::size_t bytes_to_finish() const { return ~std::size_t{0}; }
};

struct Pipeline {
  const Searcher* searcher;     ///< null if the tasks have their own
  const Alphabet* alphabet;     ///< of the patterns; null if the tasks take the queries as they are
  int threads = 1;              ///< each parses, encodes, searches and formats
  StageTimes* times = nullptr;  ///< if not null, the times of the stages are added here
  /// Bytes of text that a thread holds before it waits for its turn and writes them.
  std::size_t piece_bytes = std::size_t{4} << 20;
  CpuPath path = best_cpu_path();  ///< for encoding
  /// Whether a thread may take its next batch while the searcher is at work on the one before, if
  /// that goes on by itself. Pre: `next` never takes long, nor waits for what may wait for results.
  bool overlaps = false;
  BatchSize* batch_size = nullptr;  ///< if not null, learns how much text the batches make
  /// If there is one, takes all text in its order, and leaves in its place what is to be written.
  std::function<void(std::string& text)> seal = {};
};

/// Runs threads that take the next batch from `next`, encode it, search, and format the results.
/// They are written when all earlier batches have been written, by the thread that wrote the last
/// of these. Large results are written in pieces while the search goes on. The output depends
/// neither on the number of threads nor on where batches end. An error stops all threads and is
/// rethrown: that of the first batch which fails. The results of all batches before it have been
/// written. If a search throws OutOfMemoryError or std::bad_alloc, an OutOfMemoryError that names
/// the query is thrown.
void run_pipeline(const Pipeline& pipeline, const NextBatch& next, Output& out,
                  const std::function<std::unique_ptr<QueryTask>()>& make_task);

}  // namespace gsx
