// Memory that runs out at any call, while threads hand work over to each other: the run ends, with
// the right result or with an error.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/ordered_pipeline.hpp"
#include "base/parallel.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "records/sequence_reader.hpp"
#include "run/mate_source.hpp"
#include "support/failing_new.hpp"
#include "support/files.hpp"
#include "support/skip.hpp"
#include "text/read_text.hpp"
#include "text/shard_reader.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr int threads = 3;
constexpr int records = 12;

/// FASTQ, which FASTA would read as little of.
std::string reads() {
  std::string all;
  for (int i = 0; i < records; ++i)
    all += "@r" + std::to_string(i) + "\nACGTACGGT\n+\nIIIIIIIII\n";
  return all;
}

/// Calls run() with a failure at each call of operator new, until there is none to fail: once that
/// alone, and once with all that follow. A run ends, and answers as it does without, or throws.
void fail_at_each_allocation(const std::function<std::string()>& run) {
  const std::string right = run();
  REQUIRE(!right.empty());
  for (const bool lasting : {false, true}) {
    bool failed = true;
    int errors = 0;
    for (std::uint64_t number = 0; failed; ++number) {
      std::string answer;
      bool thrown = false;
      {
        const FailingNew failing(number, lasting);
        try {
          answer = run();
        } catch (const std::bad_alloc&) {
          thrown = true;
        } catch (const ResourceError&) {
          thrown = true;
        }
        failed = FailingNew::failures() != 0;
      }
      errors += thrown ? 1 : 0;
      if (!thrown && answer != right) {
        CAPTURE(lasting);
        CAPTURE(number);
        CHECK(answer == right);
      }
      if (thrown && !failed) FAIL("an error without a failure");
    }
    CHECK(errors > 0);
  }
}

/// The names of the records that calls of next() give, sorted.
template <class Source>
std::string names_from(Source& source) {
  std::mutex mutex;
  std::vector<std::string> names;
  run_threads(threads, [&](int) {
    RecordBatch batch;
    while (source.next(batch)) {
      const std::lock_guard lock(mutex);
      for (std::size_t i = 0; i < batch.size(); ++i)
        names.emplace_back(batch.name(i));
    }
  });
  std::ranges::sort(names);
  std::string all;
  for (const std::string& name : names)
    all += name + ' ';
  return all;
}

ReadTextOptions small_blocks() {
  ReadTextOptions options;
  options.threads = threads;
  options.block_bytes = 64;
  options.text.alphabet = SymbolPolicy::dna;
  return options;
}

}  // namespace

TEST_CASE("memory that runs out ends a build of shards") {
  GSX_SKIP_IF(!FailingNew::works(), "a sanitizer has its own operator new");
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/reads.fq";
  write_file(path, reads());
  const auto reader = [&] {
    return ShardReader(
        nullptr, {path}, small_blocks(), {},
        [](std::uint64_t in_shard, std::uint64_t) { return in_shard >= 20; }, false);
  };
  fail_at_each_allocation([&] {
    std::string answer;
    ShardReader shards = reader();
    while (const std::optional<Text> text = shards.next())
      answer += text->names + ' ';
    return answer;
  });
  fail_at_each_allocation([&] {
    std::string answer;
    ShardReader shards = reader();
    while (const std::optional<ShardSize> size = shards.skip())
      answer += std::to_string(size->records) + ' ';
    return answer;
  });
}

TEST_CASE("memory that runs out ends the reading of records, from any kind of file") {
  GSX_SKIP_IF(!FailingNew::works(), "a sanitizer has its own operator new");
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder.path() + '/' + name; };
  write_file(path("plain.fq"), reads());
  write_gzip(path("gzip.fq.gz"), reads());
  write_bgzf(path("blocks.fq.gz"), reads());
  for (const char* name : {"plain.fq", "gzip.fq.gz", "blocks.fq.gz"}) {
    CAPTURE(name);
    fail_at_each_allocation([&] {
      SequenceReader reader({path(name), path("plain.fq")},
                            {.threads = threads, .block_bytes = 64});
      return names_from(reader);
    });
  }
  fail_at_each_allocation([&] {
    MateSource source(path("plain.fq"), path("gzip.fq.gz"),
                      {.threads = threads, .block_bytes = 64});
    return names_from(source);
  });
}

TEST_CASE("memory that runs out ends a text, and a batch of queries") {
  GSX_SKIP_IF(!FailingNew::works(), "a sanitizer has its own operator new");
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/reads.fq";
  write_file(path, reads());
  fail_at_each_allocation([&] { return read_text({path}, small_blocks(), {}).names; });

  const Index index = build_index(read_text({path}, small_blocks(), {}), {.threads = 1});
  const std::vector<std::string_view> patterns(8, "ACG");
  fail_at_each_allocation([&] {
    std::string answer;
    const BatchSearcher searcher(index, {.device = "cpu", .threads = threads});
    searcher.locate(patterns, {}, [&](const HitChunk& chunk) {
      answer += std::to_string(chunk.first) + ':' + std::to_string(chunk.hits.size()) + ' ';
    });
    return answer;
  });
}

TEST_CASE("memory that runs out in a turn ends the run, and frees those that wait") {
  GSX_SKIP_IF(!FailingNew::works(), "a sanitizer has its own operator new");
  struct Item {
    std::uint64_t number = 0;
  };
  using Result = std::vector<std::string>;
  std::string written;
  struct Worker {
    std::string& written;
    Result result = {};

    Result& prepare(const Item& item, const ItemTurn& turn) {
      result.push_back(std::to_string(item.number) + std::string(40, '.'));
      if (item.number % 3 == 0) turn.wait();
      return result;
    }
    void commit(Result& any) const {
      for (const std::string& line : any)
        written += line;
      any.clear();
    }
    void finish(Item&) const {}
  };
  struct Later : Worker {
    void commit(const Item&) { Worker::commit(result); }
  };
  const auto run = [&](const auto& start) {
    written.clear();
    std::atomic<std::uint64_t> taken{0};
    start([&](Item& item) { return (item.number = taken.fetch_add(1)) < 16; });
    return written;
  };
  fail_at_each_allocation([&] {
    return run([&](const auto& next) {
      run_in_order<Item>(next, threads, [&] { return Later{{written}}; });
    });
  });
  fail_at_each_allocation([&] {
    return run([&](const auto& next) {
      run_and_hand_over<Result, Item>(next, threads, [&] { return Worker{written}; });
    });
  });
}

TEST_CASE("a turn ends with its owner, and fails the run if an exception passes") {
  OrderedTurns turns;
  turns.take(0).end();
  { const OrderedTurns::Turn turn = turns.take(1); }
  CHECK(turns.wait_for(2));
  CHECK(turns.wait_until(1));
  {
    OrderedTurns::Turn turn = turns.take(2);
    turn.go_on();
    CHECK(turns.wait_for(3));
  }
  CHECK(turns.wait_for(4));
  CHECK(!turns.failed());
  try {
    const OrderedTurns::Turn turn = turns.take(4);
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
  }
  CHECK(turns.failed());
  CHECK(!turns.take(7));
  CHECK(!turns.wait_for(9));
}
