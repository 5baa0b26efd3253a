// Depths of intervals, against a naive count; numbers that overflow the 16 bits of a counter.
#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "output/tracks/depth_counters.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Interval {
  std::uint64_t begin, end;
};

/// The depths of [begin, end) as the counters give them.
std::vector<std::uint64_t> depths_of(const DepthCounters& counters, std::uint64_t begin,
                                     std::uint64_t end, bool is_border = false) {
  PieceRuns runs(TrackKind::count);
  runs.begin({0, begin, end});
  counters.add_runs(begin, end, begin, is_border, runs);
  std::vector<std::uint64_t> depths(end - begin, 0);
  for (const TrackRun& run : runs.runs_of(0)) {
    CHECK(run.bits > 0);
    for (std::uint32_t p = run.begin; p < run.end; ++p)
      depths[p] = run.bits;
  }
  return depths;
}

}  // namespace

TEST_CASE("depths from a border on are the same without what lies before it") {
  DepthCounters counters(300'000);
  for (const Interval& one : {Interval{5, 199'999}, {200'000, 200'007}, {200'003, 300'000}})
    counters.add(one.begin, one.end);
  counters.sum(2);
  for (const std::uint64_t end : {200'001, 200'010, 300'000})
    CHECK(depths_of(counters, 200'000, end, true) == depths_of(counters, 200'000, end));
}

TEST_CASE("depths are those of a naive count, in any range, on any number of threads") {
  Random random(11);
  for (const std::uint64_t size : {1, 3, 65535, 65536, 65537, 200000}) {
    CAPTURE(size);
    std::vector<Interval> intervals;
    std::vector<std::uint64_t> expected(size, 0);
    for (int i = 0; i < 2000; ++i) {
      const std::uint64_t begin = random() % size;
      const std::uint64_t end = begin + 1 + random() % std::min<std::uint64_t>(size - begin, 500);
      intervals.push_back({begin, end});
      for (std::uint64_t p = begin; p < end; ++p)
        ++expected[p];
    }
    for (const int threads : {1, 4}) {
      DepthCounters counters(size);
      std::vector<std::thread> workers;
      for (int t = 0; t < threads; ++t) {
        workers.emplace_back([&, t] {
          for (std::size_t i = static_cast<std::size_t>(t); i < intervals.size();
               i += static_cast<std::size_t>(threads))
            counters.add(intervals[i].begin, intervals[i].end);
        });
      }
      for (std::thread& worker : workers)
        worker.join();
      counters.sum(threads);
      CHECK(depths_of(counters, 0, size) == expected);
      for (int i = 0; i < 50; ++i) {
        const std::uint64_t begin = random() % size, end = begin + 1 + random() % (size - begin);
        CHECK((depths_of(counters, begin, end) ==
               std::vector<std::uint64_t>(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                                          expected.begin() + static_cast<std::ptrdiff_t>(end))));
      }
    }
  }
}

TEST_CASE("a depth may exceed what 16 bits hold, at both ends of an interval") {
  for (const std::uint64_t many : {32767, 32768, 65535, 65536, 65537, 131072, 200001}) {
    CAPTURE(many);
    DepthCounters counters(70000);
    for (std::uint64_t i = 0; i < many; ++i)
      counters.add(65530, 65540);
    counters.add(65539, 65541);
    // Ends and begins at one position make up for each other.
    for (std::uint64_t i = 0; i < many; ++i)
      counters.add(65540, 65541);
    counters.sum(2);
    CHECK(depths_of(counters, 65528, 65543) ==
          std::vector<std::uint64_t>{0, 0, many, many, many, many, many, many, many, many, many,
                                     many + 1, many + 1, 0, 0});
    CHECK(depths_of(counters, 65541, 65543) == std::vector<std::uint64_t>{0, 0});
  }
}

TEST_CASE("counters take two bytes per position") {
  CHECK(DepthCounters::bytes(1000000) < 2000000 + 1000);
  CHECK(DepthCounters::bytes(0) > 0);
}
