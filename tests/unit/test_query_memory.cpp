// How the memory of queries is divided, and the messages when it runs out.
#include "run/query_memory.hpp"

#include <doctest/doctest.h>

#include <new>

#include "base/error.hpp"
#include "base/out_of_memory.hpp"
#include "bytes/line_sorter.hpp"
#include "run/pipeline.hpp"
#include "support/sequence_files.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("a thread gets a second batch, and with more memory a third one") {
  const auto plan = [](std::uint64_t limit) {
    return plan_query_memory({.limit = limit, .threads = 2});
  };
  // A quarter of what each thread gets is a reserve, and a byte of a batch takes up to 64.
  constexpr std::uint64_t for_one = std::uint64_t{2} * 4 * 64 * (2 << 20);
  CHECK(!plan(for_one).ample);
  CHECK(plan(for_one * 5 / 2).ample);
  CHECK(!plan(for_one * 5 / 2).overlaps);
  CHECK(plan(for_one * 7 / 2).overlaps);
  CHECK(plan(unlimited).overlaps);
}

TEST_CASE("more memory means more of everything, and the error gives the least that works") {
  std::uint64_t least = 0;
  try {
    (void)plan_query_memory({.limit = 1000, .threads = 8});
  } catch (const ResourceError& error) {
    const std::string what = error.what(), before = "at least ";
    least = std::stoull(what.substr(what.find(before) + before.size()));
  }
  REQUIRE(least > 1000);
  CHECK_THROWS_AS((void)plan_query_memory({.limit = least - 1, .threads = 8}), ResourceError);
  QueryMemory last = plan_query_memory({.limit = least, .threads = 8});
  CHECK(last.threads == 1);
  for (std::uint64_t limit = least; limit < least * 1000; limit += limit / 3) {
    CAPTURE(limit);
    const QueryMemory memory = plan_query_memory({.limit = limit, .threads = 8});
    CHECK(memory.threads >= last.threads);
    const auto threads = static_cast<std::uint64_t>(memory.threads);
    CHECK(threads * (memory.search.hits_at_once * 8 + memory.piece_bytes + memory.batch_bytes) +
              memory.sort_bytes <
          limit);
    last = memory;
  }
  CHECK(last.threads == 8);
  CHECK(last.batch_bytes == 2 << 20);
  CHECK(plan_query_memory({.limit = least, .table_bytes = 0}).threads == 1);
  CHECK_THROWS_AS((void)plan_query_memory({.limit = least, .table_bytes = 1}), ResourceError);
  CHECK_THROWS_AS((void)plan_query_memory({.limit = least, .sorts = true}), ResourceError);
}

TEST_CASE("lines come out in order, however many runs they fill") {
  Random random(95);
  const TemporaryFolder folder;
  for (const std::uint64_t count : {0u, 1u, 1000u, 200'000u}) {
    for (const int collectors : {1, 3}) {
      LineSorter sorter(0, collectors);
      std::vector<std::pair<LineKey, std::string>> lines;
      std::vector<LineSorter::Collector*> made;
      for (int i = 0; i < collectors; ++i)
        made.push_back(&sorter.collector());
      for (std::uint64_t i = 0; i < count; ++i) {
        const LineKey key{below(random, 1000), i};
        std::string line = std::to_string(random()) + '\n';
        if (i == 500) line = std::string(3'000'000, 'x') + '\n';  // longer than the memory
        made[below(random, made.size())]->add(key, line);
        lines.emplace_back(key, std::move(line));
      }
      Output out(folder / "sorted");
      sorter.write(out);
      out.commit();
      std::sort(lines.begin(), lines.end());
      std::string expected;
      for (const auto& [key, line] : lines)
        expected += line;
      CHECK((read_file(folder / "sorted") == expected));
    }
  }
}

TEST_CASE("a folder that takes no lines is named, and what sets it") {
  const auto message = [](ScratchPlace place) -> std::string {
    LineSorter sorter(0, 1, std::move(place));
    try {
      LineSorter::Collector& collector = sorter.collector();
      for (int i = 0; i < 4; ++i)
        collector.add({}, std::string(1'000'000, 'x'));
    } catch (const RuntimeError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(message({.path = "/nonexistent", .set_by = "TMPDIR"}) ==
        "cannot make a temporary file in the folder '/nonexistent': No such file or directory; set "
        "TMPDIR to a folder with room");
  CHECK(message({.path = "/nonexistent"}).ends_with("; choose a folder with room"));
}

namespace {

/// Runs out of memory at the second query, in one of several ways.
class HungryTask final : public QueryTask {
 public:
  explicit HungryTask(bool typed) : typed_(typed) {}
  void run(const Searcher*, QueryBatch& batch) override {
    batch.at = 1;
    if (typed_) throw OutOfMemoryError("out of memory: 5 bytes asked for hits");
    throw std::bad_alloc();
  }

 private:
  bool typed_;
};

}  // namespace

TEST_CASE("an error for lack of memory names the query") {
  const TemporaryFolder folder;
  const Alphabet alphabet = Alphabet::dna();
  for (const bool typed : {false, true}) {
    Output out(folder / "out");
    bool given = false;
    const auto next = [&](RecordBatch& batch) {
      batch.clear();
      for (const char* name : {"first", "second", "third"})
        batch.begin_record(name, "");
      return !std::exchange(given, true);
    };
    std::string what;
    try {
      run_pipeline({nullptr, &alphabet}, next, out,
                   [&] { return std::make_unique<HungryTask>(typed); });
    } catch (const OutOfMemoryError& error) {
      what = error.what();
    }
    CHECK(what.find("out of memory") == 0);
    CHECK(what.find("'second'") != std::string::npos);
  }
}
