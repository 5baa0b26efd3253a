// BatchSearcher: answers are those of a scan, in order, for any number of threads and of callers.
#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "gsx/error.hpp"
#include "gsx/matches.hpp"
#include "gsx/search.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// A repetitive genome, patterns from it, and where a scan finds them.
struct Case {
  std::vector<std::string> records, owned;
  std::vector<std::string_view> patterns;
  std::vector<std::vector<Occurrence>> places;

  Case(std::uint64_t seed, std::size_t count) {
    Random random(seed);
    records = {random_string(random, 6000, "ACGT"), mutated_copies(random, 150, 20, 20, "ACGT"),
               "ACGT"};
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& record = records[below(random, 2)];
      // Few patterns are short, since those occur everywhere.
      const std::uint64_t length = below(random, 20) == 0 ? below(random, 4) : below(random, 60);
      owned.push_back(record.substr(below(random, record.size() - 60), length));
      if (below(random, 10) == 0) owned.back() += "N";
      if (below(random, 10) == 0) owned.back() += "GATTACAT";
    }
    patterns = {owned.begin(), owned.end()};
    for (const std::string& pattern : owned)
      places.push_back(scan(records, pattern));
  }
};

/// What a searcher gives for all patterns, by pattern; checks that chunks come in order.
std::vector<std::vector<Occurrence>> located(const BatchSearcher& searcher, const Index& index,
                                             const Case& asked, const LocateRequest& request) {
  std::vector<std::vector<Occurrence>> found;
  bool in_order = true;
  searcher.locate(asked.patterns, request, [&](const HitChunk& chunk) {
    in_order = in_order && chunk.first + (chunk.before > 0 ? 1 : 0) == found.size();
    std::size_t hit = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      if (pattern >= found.size()) found.resize(pattern + 1);
      for (; hit < chunk.ends[i]; ++hit)
        found[pattern].push_back(
            occurrence_of(index, chunk.hits[hit], asked.patterns[pattern].size()));
    }
  });
  CHECK(in_order);
  return found;
}

bool has_counts(const std::vector<StrandCounts>& counts, const Case& asked) {
  bool same = counts.size() == asked.places.size();
  for (std::size_t i = 0; same && i < counts.size(); ++i) {
    const auto reverse = std::ranges::count(asked.places[i], true, &Occurrence::reverse);
    same = counts[i].reverse == static_cast<std::uint64_t>(reverse) &&
           counts[i].total() == asked.places[i].size();
  }
  return same;
}

}  // namespace

TEST_CASE("public: a batch is answered in order as a scan answers it, by any number of threads") {
  const Case asked(905, 3000);
  const Index index = build_index(text_of_records(asked.records), {.device = "cpu"});
  for (const int threads : {1, 2, 5}) {
    for (const std::uint64_t at_once : {std::uint64_t{1000}, std::uint64_t{1} << 22}) {
      CAPTURE(threads);
      CAPTURE(at_once);
      const BatchSearcher searcher(
          index, {.device = "cpu", .threads = threads, .memory = {.hits_at_once = at_once}});
      CHECK(has_counts(searcher.count(asked.patterns), asked));
      CHECK(located(searcher, index, asked, {}) == asked.places);
      const auto some = located(searcher, index, asked, {.max_hits = 3});
      REQUIRE(some.size() == asked.places.size());
      for (std::size_t i = 0; i < some.size(); ++i) {
        REQUIRE(some[i].size() == std::min<std::size_t>(3, asked.places[i].size()));
        REQUIRE(std::ranges::includes(asked.places[i], some[i]));
      }
    }
  }
}

TEST_CASE("public: several threads may call one searcher at once") {
  const Case first(906, 700);
  Case second(907, 500);
  second.records = first.records;  // other patterns, in the same genome
  for (std::size_t i = 0; i < second.owned.size(); ++i)
    second.places[i] = scan(second.records, second.owned[i]);
  const Index index = build_index(text_of_records(first.records), {.device = "cpu"});
  for (const int threads : {1, 3}) {
    const BatchSearcher searcher(index, {.device = "cpu", .threads = threads});
    constexpr int callers = 4;
    std::atomic<int> right{0}, ready{0};
    std::vector<std::thread> running;
    for (int caller = 0; caller < callers; ++caller) {
      running.emplace_back([&, caller] {
        const Case& asked = caller % 2 == 0 ? first : second;
        ++ready;
        while (ready < callers)
          std::this_thread::yield();
        for (int round = 0; round < 2; ++round) {
          const bool counted = has_counts(searcher.count(asked.patterns), asked);
          const bool found = located(searcher, index, asked, {}) == asked.places;
          right += counted && found ? 1 : 0;
        }
      });
    }
    for (std::thread& thread : running)
      thread.join();
    CHECK(right == 2 * callers);
  }
}

TEST_CASE("public: a sink that throws ends its own call, and no other caller's") {
  struct Enough {};
  const Case asked(908, 400);
  const Index index = build_index(text_of_records(asked.records), {.device = "cpu"});
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 2});
  std::atomic<int> thrown{0}, right{0};
  std::thread other([&] {
    for (int round = 0; round < 10; ++round) {
      try {
        searcher.locate(asked.patterns, {}, [](const HitChunk&) { throw Enough(); });
      } catch (const Enough&) {
        ++thrown;
      }
    }
  });
  for (int round = 0; round < 4; ++round)
    right += located(searcher, index, asked, {}) == asked.places ? 1 : 0;
  other.join();
  CHECK(thrown == 10);
  CHECK(right == 4);
}

TEST_CASE("public: only DNA has a reverse strand that can be searched alone") {
  const std::string_view pattern = "MKV";
  const std::string_view some[] = {pattern};
  const LocateRequest backward{Strands::reverse};
  const MatchRequest matching{Strands::reverse};
  const LengthRequest measuring{Strands::reverse};
  for (const SymbolPolicy policy : {SymbolPolicy::protein, SymbolPolicy::bytes}) {
    const Index index = build_index(make_text({"MKVLEFMKV"}, policy));
    const BatchSearcher searcher(index, {.device = "cpu"});
    const MaximalMatchSearcher matches(index, {.device = "cpu"});
    const HitSink hits = [](const HitChunk&) {};
    CHECK_THROWS_AS(count(index, pattern, Strands::reverse), UsageError);
    CHECK_THROWS_AS(locate(index, pattern, backward), UsageError);
    CHECK_THROWS_AS(searcher.count(some, Strands::reverse), UsageError);
    CHECK_THROWS_AS(searcher.locate(some, backward, hits), UsageError);
    CHECK_THROWS_AS(maximal_matches(index, pattern, matching), UsageError);
    CHECK_THROWS_AS(match_lengths(index, pattern, measuring), UsageError);
    CHECK_THROWS_AS(matches.matches(some, matching, [](const MatchChunk&) {}), UsageError);
    CHECK_THROWS_AS(matches.lengths(some, measuring, [](const LengthChunk&) {}), UsageError);
    CHECK(count(index, pattern).total() == 2);
    CHECK(searcher.count(some, Strands::forward)[0].total() == 2);
  }
}
