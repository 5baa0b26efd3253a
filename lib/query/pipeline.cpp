#include "query/pipeline.hpp"

#include <algorithm>
#include <cstddef>

namespace gsx {
namespace {

/// Holds a place for as long as it lives.
class Place {
 public:
  explicit Place(std::counting_semaphore<>& places) : places_(places) { places_.acquire(); }
  ~Place() { places_.release(); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::counting_semaphore<>& places_;
};

class QueryWorker final : public BatchWorker {
 public:
  QueryWorker(const Pipeline& pipeline, std::counting_semaphore<>& places, Output& out,
              std::unique_ptr<QueryTask> task)
      : pipeline_(pipeline), places_(places), out_(out), task_(std::move(task)) {}

  void prepare(const RecordBatch& batch) override {
    StageClock clock(pipeline_.times);
    patterns_.encode(batch, pipeline_.alphabet);
    clock.done(Stage::encode);
    {
      const Place place(places_);
      clock.done(Stage::wait);
      task_->search(pipeline_.searcher, patterns_.patterns());
      clock.done(Stage::search);
    }
    text_.clear();
    task_->format(batch, text_);
    clock.done(Stage::format);
  }

  void commit(const RecordBatch&) override {
    StageClock clock(pipeline_.times);
    out_.write(text_);
    clock.done(Stage::write);
  }

 private:
  const Pipeline& pipeline_;
  std::counting_semaphore<>& places_;
  Output& out_;
  std::unique_ptr<QueryTask> task_;
  PatternBuffer patterns_;
  std::string text_;
};

}  // namespace

void run_pipeline(const Pipeline& pipeline, const NextBatch& next, Output& out,
                  const std::function<std::unique_ptr<QueryTask>()>& make_task) {
  const int at_once = std::max(1, pipeline.searcher.concurrency());
  std::counting_semaphore<> places(at_once);
  process_batches(
      next, std::max(pipeline.threads, at_once),
      [&] { return std::make_unique<QueryWorker>(pipeline, places, out, make_task()); },
      pipeline.times);
}

}  // namespace gsx
