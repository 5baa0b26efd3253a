#include "query/pipeline.hpp"

#include <cstdint>
#include <mutex>

#include "base/parallel.hpp"
#include "base/turns.hpp"

namespace gsx {
namespace {

/// The input behind a lock: each batch comes with its number, and so does an error.
class Source {
 public:
  explicit Source(const NextBatch& read) : read_(read) {}

  bool next(RecordBatch& batch, std::uint64_t& number) {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    number = next_++;
    ended_ = true;  // and so it stays when reading throws: nobody may read on behind the error
    ended_ = !read_(batch);
    return !ended_;
  }

 private:
  const NextBatch& read_;
  std::mutex mutex_;
  std::uint64_t next_ = 0;
  bool ended_ = false;
};

}  // namespace

void run_pipeline(const NextBatch& next, int workers, Output& out,
                  const std::function<void(const RecordBatch&, std::string&)>& work) {
  Source source(next);
  Turns turns;
  run_threads(workers, [&](int) {
    RecordBatch batch;
    std::string text;
    try {
      while (!turns.failed()) {
        std::uint64_t number = 0;
        bool more = false;
        try {
          more = source.next(batch, number);
        } catch (...) {
          // Let the results of all earlier batches out first.
          if (turns.wait_for(number)) throw;
          return;
        }
        if (!more) return;
        text.clear();
        work(batch, text);
        if (!turns.wait_for(number)) return;
        out.write(text);
        turns.done();
      }
    } catch (...) {
      turns.fail();
      throw;
    }
  });
}

}  // namespace gsx
