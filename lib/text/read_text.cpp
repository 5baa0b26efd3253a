#include "text/read_text.hpp"

#include <sys/stat.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <vector>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/turns.hpp"
#include "seq/sequence_reader.hpp"

namespace gsx {
namespace {

/// Bytes of all files together, or 0 when one is not a regular file.
std::uint64_t total_bytes(const std::vector<std::string>& paths) {
  std::uint64_t total = 0;
  for (const std::string& path : paths) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    total += static_cast<std::uint64_t>(status.st_size);
  }
  return total;
}

/// Batches from the reader into the builder. Thread 0 reads and, when no batch is free, helps the
/// others, who scan and pack; so reading never waits while there is memory to read into, and no
/// thread is idle while there is work.
class TextPipeline {
 public:
  struct Slot {
    RecordBatch batch;
    SymbolRuns runs;
    std::uint64_t number = 0;
  };

  /// `first` is the batch that has been read already.
  TextPipeline(SequenceReader& reader, TextBuilder& builder, RecordBatch first, int threads,
               std::function<void()> report)
      : reader_(reader),
        builder_(builder),
        report_(std::move(report)),
        threads_(threads),
        slots_(static_cast<std::size_t>(threads) + 2) {
    slots_[0].batch = std::move(first);
    ready_.push_back(&slots_[0]);
    for (std::size_t i = 1; i < slots_.size(); ++i)
      free_.push_back(&slots_[i]);
  }

  void run() {
    run_threads(threads_, [&](int thread) {
      try {
        thread == 0 ? read_and_help() : help();
      } catch (...) {
        fail();
        throw;
      }
    });
    // Everything before it has been added without an error, so this is the first one.
    if (reader_failure_) std::rethrow_exception(reader_failure_);
  }

 private:
  void read_and_help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      freed_.wait(lock, [&] { return failed_ || ended_ || !free_.empty() || !ready_.empty(); });
      if (failed_) return;
      if (!ended_ && !free_.empty()) {
        read(lock);
      } else if (!ready_.empty()) {
        process(lock);
      } else {
        return;
      }
    }
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      filled_.wait(lock, [&] { return failed_ || ended_ || !ready_.empty(); });
      if (failed_ || ready_.empty()) return;
      process(lock);
    }
  }

  void read(std::unique_lock<std::mutex>& lock) {
    Slot* slot = free_.back();
    free_.pop_back();
    lock.unlock();
    bool more = false;
    try {
      more = reader_.next(slot->batch);
    } catch (...) {
      reader_failure_ = std::current_exception();
    }
    if (report_) report_();
    lock.lock();
    slot->number = next_++;
    (more ? ready_ : free_).push_back(slot);
    ended_ = !more;
    more ? filled_.notify_one() : filled_.notify_all();
  }

  void process(std::unique_lock<std::mutex>& lock) {
    Slot* slot = ready_.front();
    ready_.pop_front();
    lock.unlock();
    builder_.scan(slot->batch, slot->runs);
    const bool ours = turns_.wait_for(slot->number);
    if (ours) {
      builder_.place(slot->batch, slot->runs);
      turns_.done();
      builder_.pack(slot->batch, slot->runs);
    }
    lock.lock();
    free_.push_back(slot);
    freed_.notify_one();
  }

  void fail() {
    turns_.fail();
    const std::lock_guard lock(mutex_);
    failed_ = true;
    freed_.notify_all();
    filled_.notify_all();
  }

  SequenceReader& reader_;
  TextBuilder& builder_;
  std::function<void()> report_;
  int threads_;
  Turns turns_;
  std::mutex mutex_;
  std::condition_variable freed_;   ///< for thread 0
  std::condition_variable filled_;  ///< for the others
  std::vector<Slot> slots_;
  std::deque<Slot*> free_, ready_;
  std::uint64_t next_ = 1;  ///< number of the next batch
  bool ended_ = false;      ///< nothing more is to be read
  bool failed_ = false;
  std::exception_ptr reader_failure_;  ///< of thread 0 alone
};

}  // namespace

Text read_text(const std::vector<std::string>& paths, const ReadTextOptions& options,
               const ProgressReport& progress) {
  SequenceReader reader(
      paths,
      {.threads = options.threads, .batch_symbols = options.batch_symbols, .split_records = true});
  RecordBatch first;
  const bool more = reader.next(first);
  TextOptions text = options.text;
  if (options.guess && !first.symbols.empty()) {
    text.alphabet = guess_alphabet(first.symbols);
    log().info("alphabet: {}", name_of(text.alphabet));
  }
  TextBuilder builder(text);
  if (more) {
    const std::uint64_t total = total_bytes(paths);
    // A plain file holds a byte or more for each symbol, and so it does for each separator.
    builder.reserve(total + 1);
    TextPipeline pipeline(reader, builder, std::move(first), options.threads, [&] {
      if (!progress) return;
      const double read = static_cast<double>(reader.bytes_read());
      progress("reading", total > 0 ? read / static_cast<double>(total) : -1);
    });
    pipeline.run();
  }
  return builder.finish(options.threads);
}

}  // namespace gsx
