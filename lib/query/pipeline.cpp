#include "query/pipeline.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "base/messages.hpp"
#include "base/ordered_pipeline.hpp"
#include "base/out_of_memory.hpp"

namespace gsx {
namespace {

/// What is left to be done for a batch when those before it are done.
struct FinishedBatch {
  std::string text;
  std::function<void()> commit;
  std::size_t commit_bytes = 0;
};

class QueryWorker {
 public:
  QueryWorker(const Pipeline& pipeline, Output& out, std::unique_ptr<QueryTask> task)
      : pipeline_(pipeline),
        out_(out),
        task_(std::move(task)),
        clock_(pipeline.times),
        text_(pipeline.piece_bytes, [this](std::string& text) { write_in_turn(text); }) {}
  QueryWorker(const QueryWorker&) = delete;  // text_ refers to this object
  QueryWorker& operator=(const QueryWorker&) = delete;

  FinishedBatch& prepare(const RecordBatch& batch, const ItemTurn& turn) {
    clock_.restart();
    turn_ = &turn;
    std::swap(text_.text(), finished_.text);  // for its memory
    QueryBatch queries{batch, {}, text_, clock_};
    try {
      patterns_.encode(batch, pipeline_.alphabet, pipeline_.path);
      clock_.done(Stage::encode);
      queries.patterns = patterns_.patterns();
      task_->run(pipeline_.searcher, queries);
    } catch (const std::bad_alloc&) {
      fail_at(queries, "out of memory");
    } catch (const OutOfMemoryError& error) {
      fail_at(queries, error.what());
    }
    std::swap(text_.text(), finished_.text);
    finished_.commit_bytes = task_->bytes_to_finish();
    finished_.commit = task_->finish();
    clock_.done(Stage::format);
    return finished_;
  }

  bool is_small(const FinishedBatch& finished) const {
    const std::size_t held = finished.text.capacity();
    const std::size_t little = pipeline_.piece_bytes / small_results_per_thread;
    return held <= little && finished.commit_bytes <= little - held;
  }

  void commit(FinishedBatch& finished) {
    clock_.done(Stage::wait);
    write(finished.text);
    if (finished.commit) finished.commit();
    finished.commit = {};
    out_.flush_stream();
    clock_.done(Stage::write);
  }

 private:
  [[noreturn]] static void fail_at(const QueryBatch& batch, const std::string& what) {
    const std::size_t at = std::min(batch.at, batch.queries.size() - 1);
    throw OutOfMemoryError(what + ", at the query '" + shown_name(batch.queries.name(at)) + "'");
  }
  /// The batch has more text than may be held: waits for its turn now instead of at its end.
  void write_in_turn(std::string& text) {
    clock_.done(Stage::format);
    turn_->wait();
    clock_.done(Stage::wait);
    write(text);
  }
  void write(std::string& text) {
    out_.write(text);
    text.clear();
    clock_.done(Stage::write);
  }

  const Pipeline& pipeline_;
  Output& out_;
  std::unique_ptr<QueryTask> task_;
  StageClock clock_;
  const ItemTurn* turn_ = nullptr;
  PatternBuffer patterns_;
  TextPieces text_;
  FinishedBatch finished_;
};

}  // namespace

void run_pipeline(const Pipeline& pipeline, const NextBatch& next, Output& out,
                  const std::function<std::unique_ptr<QueryTask>()>& make_task) {
  run_and_hand_over<FinishedBatch, RecordBatch>(
      next, pipeline.threads, [&] { return QueryWorker(pipeline, out, make_task()); },
      pipeline.times);
}

}  // namespace gsx
