// How much memory a walk for maximal matches reads.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "index/store/writer.hpp"
#include "search/matches/match_walk.hpp"
#include "search/matches/stretches.hpp"
#include "support/match_cases.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// An index that counts what a walk is about to read.
struct CountedIndex : SearchedIndex {
  std::uint64_t* reads;

  void prefetch_kmer(std::uint64_t) const { ++*reads; }
  void prefetch_kept(std::uint64_t) const { ++*reads; }
  void prefetch_text(std::uint64_t) const { ++*reads; }
  template <class Pos>
  void prefetch_ranks_of(Interval<Pos>) const {
    ++*reads;
  }
};

/// Reads per symbol of a query on one strand, all in one piece.
double reads_per_symbol(const std::vector<std::string>& records, const std::string& query,
                        std::uint64_t min_length) {
  const Text text = make_text(records);
  BuildOptions build;
  build.threads = 1;
  const Index index =
      Index::of(index_image(text, make_cpu_backend()->build_index(text.view(), build), 1), 1);
  std::uint64_t reads = 0;
  const CountedIndex counted{{index.fm(), index.text()}, &reads};
  const std::vector<std::uint8_t> codes = codes_of(query);
  MatchWalk<std::uint32_t, CountedIndex> walk{};
  using Event = decltype(walk)::Event;
  walk.start(counted, {{codes.data(), codes.size(), false}, 0, codes.size()}, min_length);
  while (walk.step(counted) != Event::end) {
  }
  return static_cast<double>(reads) / static_cast<double>(codes.size());
}

}  // namespace

TEST_CASE("match walk: short matches take few reads, in a genome and in many copies of one") {
  Random random(21);
  const std::string genome = random_string(random, 300'000, "ACGT");
  const std::string copies = mutated_copies(random, 3000, 100, 500, "ACGT");
  const std::string query = random_string(random, 5000, "ACGT");
  CHECK(reads_per_symbol({genome}, query, 1) < 8);
  CHECK(reads_per_symbol({copies}, query, 1) < 8);
  CHECK(reads_per_symbol({genome}, query, 9) < 8);
  CHECK(reads_per_symbol({copies}, query, 6) < 8);
}

TEST_CASE("match walk: long matches take few reads per symbol, of any least length") {
  Random random(22);
  const std::string genome = random_string(random, 300'000, "ACGT");
  std::string query = genome.substr(1000, 20'000);
  for (std::size_t i = 50; i < query.size(); i += 100)
    query[i] = query[i] == 'A' ? 'C' : 'A';
  for (const std::uint64_t least : {1, 8, 12, 20, 40}) {
    CAPTURE(least);
    CHECK(reads_per_symbol({genome}, query, least) < 2);
  }
}

TEST_CASE("the first code that is not below sigma is found wherever it is") {
  for (const std::uint32_t sigma : {1u, 4u, 25u, 255u}) {
    for (const std::size_t length : {0, 1, 15, 16, 17, 63, 64, 65, 79, 80, 150, 200}) {
      std::vector<std::uint8_t> codes(length, static_cast<std::uint8_t>(sigma - 1));
      const std::uint8_t *const begin = codes.data(), *const end = begin + length;
      CHECK(find_foreign(begin, end, sigma) == end);
      for (std::size_t at = length; at-- > 0;) {  // others follow it
        codes[at] = at % 2 == 0 ? 255 : static_cast<std::uint8_t>(sigma);
        REQUIRE(find_foreign(begin, end, sigma) == begin + at);
      }
    }
  }
}
