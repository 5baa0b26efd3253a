// The sequence reader: batches that threads parse for each other, and the order in which they are
// given.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/ordered_pipeline.hpp"
#include "support/sequence_files.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Ends the process after a while: threads that wait for each other cannot be stopped.
struct TimeLimit {
  TimeLimit() { alarm(120); }
  ~TimeLimit() { alarm(0); }
};

/// Waits for its turn with a batch in hand, as the pipelines do.
struct Worker {
  Records& all;

  void prepare(const RecordBatch& batch, const ItemTurn&) const {
    if (batch.number % 5 == 0) std::this_thread::yield();
  }
  void commit(const RecordBatch& batch) const { add_batch(batch, all); }
  void finish(const RecordBatch&) const {}
};

Reading read_in_order(const std::vector<std::string>& paths, const ReaderOptions& options) {
  const TimeLimit limit;
  SequenceReader reader(paths, options);
  Reading reading;
  try {
    run_in_order<RecordBatch>([&](RecordBatch& batch) { return reader.next(batch); },
                              options.threads, [&] { return Worker{reading.records}; });
  } catch (const InputError& error) {
    reading.error = error.what();
  }
  return reading;
}

/// Threads that each keep what they are given until all have something.
class Meeting {
 public:
  explicit Meeting(int threads) : missing_(threads) {}
  void arrive() {
    {
      const std::lock_guard lock(mutex_);
      --missing_;
    }
    all_here_.notify_all();
    wait();
  }
  /// False if one has nothing for long.
  bool wait() {
    std::unique_lock lock(mutex_);
    return all_here_.wait_for(lock, std::chrono::seconds(20), [&] { return missing_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  int missing_;
};

}  // namespace

TEST_CASE("threads that wait for their turn with a batch never wait for one that nobody takes") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string fastq = write_file(folder / "q", fastq_reads(random, "q", 600));
  const std::string more = write_file(folder / "m", fastq_reads(random, "m", 90));
  const std::string fasta = write_file(
      folder / "a", ">long\n" + random_letters(random, 9000) + "\n>x\nACGT\n>y\n>z\nAC\nGT\n");
  const std::string packed = folder / "p";
  bgzf_bytes(packed, read_file(more));
  const std::vector<std::string> paths = {fastq, more, fasta, packed, fastq};
  const Records expected = read_all(paths);
  for (int round = 0; round < rounds(20); ++round) {
    for (const int threads : {1, 2, 3, 9}) {
      for (const bool hands_over : {false, true}) {
        for (const std::uint64_t block : {50u, 700u, 1u << 20}) {
          CAPTURE(threads);
          CAPTURE(hands_over);
          CAPTURE(block);
          ReaderOptions options;
          options.threads = threads;
          options.block_bytes = block;
          options.hands_over = hands_over;
          options.split_records = round % 2 == 1;
          const Reading reading = read_in_order(paths, options);
          CHECK(reading.error.empty());
          CHECK((reading.records == expected));
        }
      }
    }
  }
}

TEST_CASE("all batches before an error are given, whoever has parsed them") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string good = fastq_reads(random, "g", 400);
  const std::string path = write_file(folder / "q", good + "@bad\nACGT\n+\nII\n" + good);
  const Records expected = read_all({write_file(folder / "g", good)});
  const std::string message = error_of({path});
  REQUIRE(has(message, "bad"));
  for (int round = 0; round < rounds(50); ++round) {
    for (const bool hands_over : {false, true}) {
      CAPTURE(hands_over);
      ReaderOptions options;
      options.threads = 7;
      options.block_bytes = 100 + random() % 900;
      options.hands_over = hands_over;
      const Reading reading = read_in_order({path}, options);
      CHECK(reading.error == message);
      CHECK((reading.records == expected));
    }
  }
}

TEST_CASE("each thread at a pipe that pauses has one of the batches that came") {
  const TimeLimit limit;
  std::mt19937 random(seed());
  constexpr int threads = 3;
  // The first block takes long to parse, and the others are there by then.
  const std::string text = "@long\n" + random_letters(random, 1'000'000) + "\n+\n" +
                           std::string(1'000'000, 'I') + "\n" + fastq_reads(random, "r", 15);
  for (int round = 0; round < rounds(30); ++round) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const std::string path = "/dev/fd/" + std::to_string(ends[0]);
    ReaderOptions options;
    options.threads = threads;
    options.block_bytes = 1000;  // three blocks behind the long one: no thread waits for it
    SequenceReader reader({path}, options);
    Meeting meeting(threads);
    std::thread reading([&] {
      run_threads(threads, [&](int) {
        RecordBatch batch;
        if (reader.next(batch)) meeting.arrive();
        while (reader.next(batch)) {
        }
      });
    });
    const bool written =
        write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    const bool all_met = meeting.wait();
    close(ends[1]);
    reading.join();
    close(ends[0]);
    REQUIRE(written);
    REQUIRE(all_met);
  }
}

TEST_CASE("once a call has returned false, none that begins later returns true") {
  const TemporaryFolder folder;
  std::mt19937 random(seed());
  const std::string path = write_file(folder / "q", fastq_reads(random, "q", 300));
  const TimeLimit limit;
  for (int round = 0; round < rounds(200); ++round) {
    ReaderOptions options;
    options.threads = 8;
    options.block_bytes = 300 + random() % 3000;
    SequenceReader reader({path}, options);
    std::atomic<bool> ended = false, given_late = false;
    std::atomic<std::size_t> records = 0;
    run_threads(options.threads, [&](int) {
      RecordBatch batch;
      for (;;) {
        const bool late = ended;
        if (!reader.next(batch)) break;
        records += batch.size();
        if (late) given_late = true;
      }
      ended = true;
    });
    CHECK(records == 300);
    REQUIRE(!given_late);
  }
}
