#include "seq/batch_workers.hpp"

#include "base/parallel.hpp"

namespace gsx {
namespace {

void take_batches(const NextBatch& next, BatchWorker& worker, Turns& turns, StageTimes* times) {
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

}  // namespace

void process_batches(const NextBatch& next, int threads,
                     const std::function<std::unique_ptr<BatchWorker>()>& make_worker,
                     StageTimes* times) {
  Turns turns;
  run_threads(threads, [&](int) {
    try {
      take_batches(next, *make_worker(), turns, times);
    } catch (const RunStopped&) {
      // Another thread has the error.
    } catch (...) {
      turns.fail();
      throw;
    }
  });
}

}  // namespace gsx
