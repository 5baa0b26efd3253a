#include "run/pipeline.hpp"

#include <algorithm>
#include <array>
#include <exception>
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

  /// Encodes the batch, and starts its search where that goes on by itself. What fails is thrown by
  /// prepare().
  bool start(const RecordBatch& batch) {
    clock_.restart();
    Begun& begun = begun_[number_begun_++ % begun_.size()];
    begun.failure = nullptr;
    try {
      if (pipeline_.alphabet != nullptr)
        begun.patterns.encode(batch, *pipeline_.alphabet, pipeline_.path);
      clock_.done(Stage::encode);
      const std::optional<SearchRequest> request = task_->request();
      if (pipeline_.overlaps && request && pipeline_.searcher != nullptr)
        begun.searcher = pipeline_.searcher->start(begun.patterns.patterns(), *request);
      clock_.done(Stage::search);
    } catch (...) {
      begun.failure = std::current_exception();
    }
    return begun.searcher != nullptr;
  }

  FinishedBatch& prepare(const RecordBatch& batch, const ItemTurn& turn) {
    clock_.restart();
    turn_ = &turn;
    std::swap(text_.text(), finished_.text);  // for its memory
    written_ = 0;
    Begun& begun = begun_[number_prepared_++ % begun_.size()];
    const std::unique_ptr<Searcher> started = std::move(begun.searcher);
    QueryBatch queries{batch, begun.patterns.patterns(), text_, clock_};
    try {
      if (begun.failure) std::rethrow_exception(begun.failure);
      task_->run(started ? started.get() : pipeline_.searcher, queries);
    } catch (const std::bad_alloc&) {
      fail_at(queries, "out of memory");
    } catch (const OutOfMemoryError& error) {
      fail_at(queries, error.what());
    }
    learn_from(batch);
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
  /// A batch between start() and prepare().
  struct Begun {
    PatternBuffer patterns;
    std::unique_ptr<Searcher> searcher;  ///< if the search goes on
    std::exception_ptr failure;
  };

  [[noreturn]] static void fail_at(const QueryBatch& batch, const std::string& what) {
    const std::size_t at = std::min(batch.at, batch.queries.size() - 1);
    throw OutOfMemoryError(what + ", at the query '" + shown_name(batch.queries.name(at)) + "'");
  }
  void learn_from(const RecordBatch& batch) {
    if (pipeline_.batch_size == nullptr) return;
    // Less than the bytes in the file, about half of FASTQ: batches are rather too small.
    const std::uint64_t taken = batch.symbol_count() + batch.names.size();
    pipeline_.batch_size->learn(taken, written_ + text_.text().size(), pipeline_.piece_bytes);
  }
  /// The batch has more text than may be held: waits for its turn now instead of at its end.
  void write_in_turn(std::string& text) {
    clock_.done(Stage::format);
    turn_->wait();
    clock_.done(Stage::wait);
    written_ += text.size();
    write(text);
  }
  void write(std::string& text) {
    if (pipeline_.seal) pipeline_.seal(text);
    out_.write(text);
    text.clear();
    clock_.done(Stage::write);
  }

  const Pipeline& pipeline_;
  Output& out_;
  std::unique_ptr<QueryTask> task_;
  StageClock clock_;
  const ItemTurn* turn_ = nullptr;
  std::array<Begun, 2> begun_;
  std::size_t number_begun_ = 0, number_prepared_ = 0;
  TextPieces text_;
  std::uint64_t written_ = 0;  ///< bytes of the batch's text that are not in text_ any more
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
