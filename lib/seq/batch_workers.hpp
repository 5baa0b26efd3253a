// Threads that work on batches at the same time and hand over their results in input order.
#pragma once

#include <functional>
#include <memory>

#include "base/stage_times.hpp"
#include "base/turns.hpp"
#include "seq/record_batch.hpp"

namespace gsx {

/// Fills a batch with what comes next and numbers it from 0; false when there is no more. Any
/// number of threads may call it. When it throws, the batch has the number of the one that could
/// not be filled. SequenceReader::next does that.
using NextBatch = std::function<bool(RecordBatch&)>;

/// Thrown by BatchTurn::wait when the run has failed elsewhere; ends the thread quietly.
struct RunStopped {};

/// The place of a batch in the input order.
class BatchTurn {
 public:
  BatchTurn(Turns& turns, std::uint64_t number) : turns_(turns), number_(number) {}
  /// Returns when all batches before it have been committed. Throws RunStopped.
  void wait() const {
    if (!turns_.wait_for(number_)) throw RunStopped{};
  }

 private:
  Turns& turns_;
  std::uint64_t number_;
};

/// What one thread does with the batches that it has taken.
class BatchWorker {
 public:
  virtual ~BatchWorker() = default;
  /// At any time, beside other threads. May wait for the batch's turn, and then do some of what
  /// commit() does.
  virtual void prepare(const RecordBatch& batch, const BatchTurn& turn) = 0;
  /// One batch at a time, in input order, over all threads.
  virtual void commit(const RecordBatch& batch) = 0;
  /// At any time again.
  virtual void finish(const RecordBatch&) {}
};

/// Runs `threads` threads, each with its own worker, which take batches until there are no more; at
/// most one batch a thread is in memory.
/// An error stops all threads and is rethrown, and all batches before an error of `next` or of
/// commit() have been committed then. `times`, if not null, gets the time spent waiting.
void process_batches(const NextBatch& next, int threads,
                     const std::function<std::unique_ptr<BatchWorker>()>& make_worker,
                     StageTimes* times = nullptr);

}  // namespace gsx
