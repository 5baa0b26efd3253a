// Reading, searching and writing on threads: order, errors, and text written in pieces.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "base/ordered_pipeline.hpp"
#include "output/lines/query_report.hpp"
#include "records/sequence_reader.hpp"
#include "run/pipeline.hpp"
#include "support/sequence_files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Counts each pattern's A and C, sometimes slowly. Starts to do so early in most batches.
class SlowSearcher final : public Searcher {
 public:
  void count(const Patterns& patterns, Strands, std::vector<StrandCounts>& counts) const override {
    counts.assign(patterns.size(), {});
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      for (const std::uint8_t code : patterns[i]) {
        counts[i].forward += code == 0;
        counts[i].reverse += code == 1;
      }
      if (patterns[i].size() == fatal_length) throw DeviceError("the device is gone");
    }
    if (patterns.size() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  void stream(const Patterns&, const LocateRequest&, const HitSink&) const override {}
  std::unique_ptr<Searcher> start(const Patterns& patterns, const SearchRequest&) const override {
    if (patterns.symbols() % 5 == 1) return nullptr;
    auto early = std::make_unique<Early>(patterns, lost);
    count(patterns, Strands::both, early->counts);
    ++started;
    return early;
  }

  /// Gives what was counted at the start, if the patterns are still there. They are read until it
  /// goes, as a GPU may do.
  struct Early final : Searcher {
    Early(const Patterns& given, std::atomic<int>& lost)
        : patterns(given), codes(given.codes.begin(), given.codes.end()), lost_(lost) {}
    ~Early() override { lost_ += !std::ranges::equal(patterns.codes, codes); }
    void count(const Patterns& again, Strands, std::vector<StrandCounts>& given) const override {
      const bool same = std::ranges::equal(again.ends, patterns.ends) &&
                        again.codes.data() == patterns.codes.data();
      if (!same) throw std::logic_error("the patterns changed after the start");
      given = counts;
    }
    void stream(const Patterns&, const LocateRequest&, const HitSink&) const override {}
    Patterns patterns;
    std::vector<std::uint8_t> codes;
    std::vector<StrandCounts> counts;

   private:
    std::atomic<int>& lost_;
  };

  mutable std::atomic<int> started = 0;
  mutable std::atomic<int> lost = 0;  ///< searches whose patterns went before them
  static constexpr std::size_t fatal_length = 999;
};

class CountTask final : public QueryTask {
 public:
  void run(const Searcher* searcher, QueryBatch& batch) override {
    searcher->count(batch.patterns, Strands::both, counts_);
    batch.clock.done(Stage::search);
    append_counts(batch.text, batch.queries, counts_);
  }
  std::optional<SearchRequest> request() const override { return SearchRequest{}; }

 private:
  std::vector<StrandCounts> counts_;
};

struct Outcome {
  std::string text;
  std::string error;
};

Outcome run(const TemporaryFolder& folder, const std::vector<std::string>& paths,
            std::uint64_t block, int threads, const SlowSearcher& searcher,
            StageTimes* times = nullptr, std::size_t piece_bytes = 1 << 20, bool overlaps = true) {
  SequenceReader reader(paths, {.threads = threads, .block_bytes = block, .times = times});
  const Alphabet alphabet = Alphabet::dna();
  const std::string path = folder / "out";
  Outcome outcome;
  Output out(path);
  try {
    run_pipeline(
        {.searcher = &searcher,
         .alphabet = &alphabet,
         .threads = threads,
         .times = times,
         .piece_bytes = piece_bytes,
         .overlaps = overlaps},
        [&](RecordBatch& batch) { return reader.next(batch); }, out,
        [] { return std::make_unique<CountTask>(); });
  } catch (const Error& error) {
    outcome.error = error.what();
  }
  out.commit();
  outcome.text = read_file(path);
  return outcome;
}

std::string expected_line(const Record& record) {
  const auto count = [&](const char* symbols) {
    return std::count_if(record.symbols.begin(), record.symbols.end(), [=](char c) {
      return std::string_view(symbols).find(c) != std::string_view::npos;
    });
  };
  const auto a = count("Aa"), c = count("Cc");
  return (record.name.empty() ? "." : record.name) + '\t' + std::to_string(record.symbols.size()) +
         '\t' + std::to_string(a + c) + '\t' + std::to_string(a) + '\t' + std::to_string(c) + '\n';
}

/// Queries of all kinds, and the expected output for them.
struct Queries {
  Records records;
  std::string fastq;
  std::string expected;

  Queries() {
    std::mt19937 random(seed());
    for (int part = 0; part < 60; ++part) {
      const Records more = random_records(random);
      fastq += fastq_of(more, random);
      records.insert(records.end(), more.begin(), more.end());
    }
    for (const Record& record : records)
      expected += expected_line(record);
  }
};

}  // namespace

TEST_CASE("the output does not depend on threads, blocks or the pieces in which it is written") {
  const TemporaryFolder folder;
  const Queries queries;
  const std::string path = write_file(folder / "q.fq", queries.fastq);
  for (const int threads : {1, 2, 7}) {
    for (const std::size_t piece : {1, 50, 1 << 20}) {
      for (const std::uint64_t block : {1, 100, 1000, 1 << 20}) {
        CAPTURE(threads);
        CAPTURE(piece);
        CAPTURE(block);
        for (const bool overlaps : {false, true}) {
          CAPTURE(overlaps);
          const SlowSearcher searcher;
          const Outcome outcome =
              run(folder, {path}, block, threads, searcher, nullptr, piece, overlaps);
          CHECK(outcome.error.empty());
          CHECK((outcome.text == queries.expected));
          if (!overlaps || block == 1) CHECK((searcher.started != 0) == overlaps);
          CHECK(searcher.lost == 0);
        }
      }
    }
  }
}

TEST_CASE("an error of the input comes after all results of the batches before it") {
  const TemporaryFolder folder;
  const Queries queries;
  const std::string good = write_file(folder / "good.fq", queries.fastq);
  const std::string bad = write_file(folder / "bad.fq", queries.fastq + "@x\nAC\n+\nI\n");
  const std::string missing = folder / "missing.fq";
  for (const std::uint64_t block : {1, 64, 5000}) {
    const SlowSearcher searcher;
    const Outcome first = run(folder, {good, missing}, block, 4, searcher);
    CHECK(has(first.error, "missing.fq: cannot read it"));
    CHECK((first.text == queries.expected));
    const Outcome second = run(folder, {bad}, block, 4, searcher);
    CHECK(has(second.error, "record " + std::to_string(queries.records.size() + 1)));
    CHECK(queries.expected.starts_with(second.text));
    if (block == 1) CHECK((second.text == queries.expected));
  }
}

TEST_CASE("an error of a search ends the run, and what was written before is right") {
  const TemporaryFolder folder;
  const Queries queries;
  const std::string fatal = ">fatal\n" + std::string(SlowSearcher::fatal_length, 'A') + "\n";
  const std::string good = write_file(folder / "good.fq", queries.fastq);
  const std::string bad = write_file(folder / "bad.fa", fatal);
  for (const std::uint64_t block : {64, 5000}) {
    const SlowSearcher searcher;
    const Outcome outcome = run(folder, {good, bad, good}, block, 4, searcher);
    CHECK(outcome.error == "the device is gone");
    CHECK(queries.expected.starts_with(outcome.text));
    CHECK(searcher.lost == 0);
  }
}

TEST_CASE("the times of the stages add up to the time of the threads") {
  const TemporaryFolder folder;
  const Queries queries;
  StageTimes times;
  const SlowSearcher searcher;
  const auto start = StageTimes::Clock::now();
  const Outcome outcome =
      run(folder, {write_file(folder / "q.fq", queries.fastq)}, 300, 2, searcher, &times);
  const std::chrono::duration<double> wall = StageTimes::Clock::now() - start;
  CHECK((outcome.text == queries.expected));
  double sum = 0;
  for (std::size_t i = 0; i < stage_names.size(); ++i) {
    const double seconds = times.seconds(static_cast<Stage>(i));
    CHECK(seconds > 0);
    sum += seconds;
  }
  CHECK(sum <= 2 * wall.count());
}

TEST_CASE("DNA symbols are encoded by the alphabet, anywhere in a batch") {
  RecordBatch batch;
  batch.begin_record("all", "");
  for (unsigned byte = 0; byte < 256; ++byte)
    batch.append(std::string(1, static_cast<char>(byte)));
  const Alphabet dna = Alphabet::dna();
  PatternBuffer buffer;
  for (int more = 0; more < 20; ++more) {
    batch.append("U");
    buffer.encode(batch, dna);
    const Patterns patterns = buffer.patterns();
    REQUIRE(patterns.codes.size() == batch.symbols.size());
    for (std::size_t i = 0; i < batch.symbols.size(); ++i)
      CHECK(patterns.codes[i] == dna.code(batch.symbols[i]));
  }
}

namespace {

/// Batches of one query, the first of which takes long: until so many others have been worked on.
struct HeldRun {
  std::size_t bytes;  ///< that the end of each batch says it holds
  int held;           ///< others that must be worked on before the first one is done
  std::atomic<int> others = 0;
  std::atomic<int> others_while_held = 0;
};

class HeldTask final : public QueryTask {
 public:
  explicit HeldTask(HeldRun& run) : run_(run) {}

  void run(const Searcher*, QueryBatch& batch) override {
    if (batch.queries.number != 0) {
      ++run_.others;
      return;
    }
    for (int i = 0; i < 20'000 && run_.others < run_.held; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    run_.others_while_held = run_.others.load();
  }
  std::size_t bytes_to_finish() const override { return run_.bytes; }

 private:
  HeldRun& run_;
};

}  // namespace

TEST_CASE("batches whose text and end are small wait in larger numbers for a slow one") {
  constexpr int threads = 2, piece_bytes = 1 << 20;
  const Alphabet alphabet = Alphabet::dna();
  const TemporaryFolder folder;
  // As many results are left as may wait, and the other thread waits with one more.
  constexpr int small = static_cast<int>(small_results_per_thread) * threads + 1;
  constexpr std::size_t little = piece_bytes / small_results_per_thread;
  for (const auto& [bytes, held] :
       {std::pair(std::size_t{0}, small), std::pair(little - 100, small),  // the text takes some
        std::pair(little + 1, threads + 1), std::pair(~std::size_t{0}, threads + 1)}) {
    CAPTURE(bytes);
    HeldRun held_run{bytes, held};
    std::atomic<std::uint64_t> taken = 0;
    const NextBatch next = [&](RecordBatch& batch) {
      batch.clear();
      batch.number = taken++;
      if (batch.number >= 40) return false;
      batch.begin_record("q", "");
      batch.append("ACGT");
      return true;
    };
    Output out(folder / "out");
    run_pipeline({nullptr, &alphabet, threads, nullptr, piece_bytes}, next, out,
                 [&] { return std::make_unique<HeldTask>(held_run); });
    CHECK(held_run.others == 39);
    CHECK(held_run.others_while_held == held);
  }
}

namespace {

/// Makes much text of each query, and notes of how many queries each batch was.
class LargeTask final : public QueryTask {
 public:
  static constexpr std::size_t bytes_of_query = 10'000;
  explicit LargeTask(std::vector<std::size_t>& sizes, std::mutex& mutex)
      : sizes_(sizes), mutex_(mutex) {}

  void run(const Searcher*, QueryBatch& batch) override {
    const std::lock_guard lock(mutex_);  // one at a time, so that all batches are told
    sizes_.push_back(batch.queries.size());
    for (std::size_t i = 0; i < batch.queries.size(); ++i)
      batch.text.text() += std::string(bytes_of_query - 1, batch.queries.name(i).back()) + '\n';
  }

 private:
  std::vector<std::size_t>& sizes_;
  std::mutex& mutex_;
};

}  // namespace

TEST_CASE("batches become smaller where they make more text than a thread holds") {
  constexpr std::size_t piece = std::size_t{1} << 16, queries = 3000;
  const TemporaryFolder folder;
  std::string fasta, expected;
  for (std::size_t i = 0; i < queries; ++i) {
    const std::string name = "q" + std::to_string(i);
    fasta += ">" + name + "\n" + std::string(40, 'A') + "\n";
    expected += std::string(LargeTask::bytes_of_query - 1, name.back()) + '\n';
  }
  const std::string path = write_file(folder / "q.fa", fasta);
  const Alphabet alphabet = Alphabet::dna();
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    BatchSize size(1 << 16, 1);
    size.start_small();
    SequenceReader reader({path}, {.threads = threads, .block_bytes = 1 << 16, .size = &size});
    std::vector<std::size_t> sizes;
    std::mutex mutex;
    Output out(folder / "out");
    run_pipeline(
        {.searcher = nullptr,
         .alphabet = &alphabet,
         .threads = threads,
         .piece_bytes = piece,
         .batch_size = &size},
        [&](RecordBatch& batch) { return reader.next(batch); }, out,
        [&] { return std::make_unique<LargeTask>(sizes, mutex); });
    out.commit();
    CHECK((read_file(folder / "out") == expected));
    const auto fits = [](std::size_t count) { return count <= piece / LargeTask::bytes_of_query; };
    std::size_t in_small = 0;
    for (const std::size_t count : sizes)
      in_small += fits(count) ? count : 0;
    CHECK(in_small > queries / 2);
  }
}
