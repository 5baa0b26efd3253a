// Threads that work on batches at the same time and hand over their results in input order.
#pragma once

#include <functional>

#include "base/ordered_turns.hpp"
#include "base/parallel.hpp"
#include "base/stage_times.hpp"
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
  BatchTurn(OrderedTurns& turns, std::uint64_t number) : turns_(turns), number_(number) {}
  /// Returns when all batches before it have been committed. Throws RunStopped.
  void wait() const {
    if (!turns_.wait_for(number_)) throw RunStopped{};
  }

 private:
  OrderedTurns& turns_;
  std::uint64_t number_;
};

namespace detail {

template <class Worker>
void take_batches(const NextBatch& next, Worker& worker, OrderedTurns& turns, StageTimes* times) {
  RecordBatch batch;
  while (!turns.failed()) {
    try {
      if (!next(batch)) return;
    } catch (...) {
      // Let the results of all earlier batches out first.
      if (turns.wait_for(batch.number)) throw;
      return;
    }
    const BatchTurn turn(turns, batch.number);
    worker.prepare(batch, turn);
    StageClock clock(times);
    turn.wait();
    clock.done(Stage::wait);
    worker.commit(batch);
    turns.done();
    worker.finish(batch);
  }
}

}  // namespace detail

/// Runs `threads` threads, each of which makes a worker of its own and takes batches until there
/// are no more; at most one batch per thread is in memory. A worker has these functions:
///   prepare(batch, turn)  at any time, beside other threads. May wait for the batch's turn, and
///                         then do some of what commit() does
///   commit(batch)         one batch at a time, in input order, over all threads
///   finish(batch)         at any time again
/// An error stops all threads and is rethrown, and all batches before an error of `next` or of
/// commit() have been committed then. `times`, if not null, gets the time spent waiting.
template <class MakeWorker>
void process_batches(const NextBatch& next, int threads, const MakeWorker& make_worker,
                     StageTimes* times = nullptr) {
  OrderedTurns turns;
  run_threads(threads, [&](int) {
    try {
      auto worker = make_worker();
      detail::take_batches(next, worker, turns, times);
    } catch (const RunStopped&) {
      // Another thread has the error.
    } catch (...) {
      turns.fail();
      throw;
    }
  });
}

}  // namespace gsx
