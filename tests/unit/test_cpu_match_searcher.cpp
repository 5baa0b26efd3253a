// Maximal matches of long queries, and of several callers at once.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/matches/cpu_match_searcher.hpp"
#include "support/match_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/complement.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

Index index_of(const std::vector<std::string>& records, std::uint32_t rate = 8) {
  const Text text = gsx::testing::make_text(records);
  BuildOptions build;
  build.threads = 2;
  build.sample_rate = rate;
  return Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
}

/// The sequence with about one symbol in `per` changed.
std::string changed(Random& random, std::string sequence, std::uint64_t per) {
  for (std::uint64_t i = below(random, per); i < sequence.size(); i += 1 + below(random, 2 * per))
    sequence[i] = "ACGTN"[below(random, 5)];
  return sequence;
}

}  // namespace

TEST_CASE("a long query has the same matches in slices as at once, and chunks stay small") {
  Random random(run_seed());
  const std::string sequence =
      random_string(random, 300'000, "ACGT") + mutated_copies(random, 700, 60, 200, "ACGT");
  const Index index = index_of({sequence, sequence.substr(1000, 50'000)});
  std::string query = changed(random, sequence, 150);
  reverse_complement(query);
  const QueryCodes codes({"ACGT", query + changed(random, sequence, 1000), "", sequence});
  constexpr std::uint64_t all = std::uint64_t{1} << 40;
  const CpuMatchSearcher at_once(index, 1, {.hits_at_once = 16 * all},
                                 {.group_symbols = all, .piece_symbols = all});
  for (const std::uint64_t least : {8, 31}) {
    CAPTURE(least);
    const MatchRequest request{Strands::both, least};
    const auto expected = matches_of(at_once, codes.patterns(), request);
    CHECK(expected.queries()[1].size() > 1000);
    CHECK(expected.gaps() == 0);
    for (const int threads : {1, 3}) {
      for (const std::uint64_t symbols : {300, 20'000}) {
        const CpuMatchSearcher sliced(index, threads, {},
                                      {.group_symbols = symbols, .piece_symbols = symbols / 3});
        CollectedMatches found;
        std::uint64_t chunks = 0;
        sliced.stream(codes.patterns(), request, [&](const MatchChunk& chunk) {
          found.take(chunk);
          CHECK(chunk.matches.size() <= 2 * symbols);
          ++chunks;
        });
        CHECK(found.queries() == expected.queries());
        CHECK(found.gaps() == 0);
        if (symbols == 300) CHECK(chunks > 2);
      }
    }
  }
}

TEST_CASE("a query that is a record has one match, as given and as its reverse complement") {
  Random random(run_seed());
  const std::string sequence = random_string(random, 1'000'000, "ACGT");
  std::string complement = sequence;
  reverse_complement(complement);
  for (const std::uint32_t rate : {1, 8}) {
    const Index index = index_of({sequence}, rate);
    const QueryCodes codes({sequence, complement, std::string(1'000'000, 'N')});
    const auto found =
        matches_of(CpuMatchSearcher(index, 2), codes.patterns(), {Strands::both, 31});
    REQUIRE(found.queries().size() == 3);
    CHECK(found.queries()[0] == std::vector<MaximalMatch>{{0, 1'000'000, {1, 0}}});
    CHECK(found.queries()[1] == std::vector<MaximalMatch>{{0, 1'000'000, {0, 1}}});
    CHECK(found.queries()[2].empty());
  }
}

TEST_CASE("several threads find matches with one searcher, and sinks may throw") {
  Random random(run_seed());
  const std::string sequence = random_string(random, 200'000, "ACGT");
  const Index index = index_of({sequence});
  std::vector<std::string> reads;
  reads.reserve(3000);
  for (int i = 0; i < 3000; ++i)
    reads.push_back(changed(random, sequence.substr(below(random, 199'000), 150), 40));
  const QueryCodes codes(reads);
  const CpuMatchSearcher searcher(index, 2, {}, {.group_symbols = 30'000});
  const MatchRequest request{Strands::both, 15};
  const auto expected = matches_of(searcher, codes.patterns(), request).queries();
  std::vector<int> same(4);
  std::vector<std::thread> threads;
  threads.reserve(same.size());
  for (int& one : same) {
    threads.emplace_back([&] {
      one = matches_of(searcher, codes.patterns(), request).queries() == expected ? 1 : 0;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(same == std::vector<int>(4, 1));
  CHECK_THROWS_AS(searcher.stream(codes.patterns(), request,
                                  [](const MatchChunk&) { throw std::runtime_error("enough"); }),
                  std::runtime_error);
  int chunks = 0;
  searcher.stream(QueryCodes({}).patterns(), request, [&](const MatchChunk&) { ++chunks; });
  CHECK(chunks == 0);
}
