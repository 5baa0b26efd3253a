// Patterns that are their own reverse complement, and their hits reported once.
#include "run/palindromes.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "text/alphabet.hpp"

using namespace gsx;

namespace {

/// Encoded patterns over ACGT.
struct Encoded {
  std::vector<std::uint8_t> codes;
  std::vector<std::uint64_t> ends;

  explicit Encoded(const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
      for (const char symbol : pattern)
        codes.push_back(Alphabet::dna().code(symbol));
      ends.push_back(codes.size());
    }
  }
  Patterns view() const { return {codes, ends}; }
};

/// Gives all hits in chunks of at most `most`, as a searcher would.
void give_in_chunks(const Hits& all, std::size_t most, const HitSink& sink) {
  std::size_t pattern = 0;
  std::uint64_t at = 0;
  while (pattern < all.counts.size()) {
    HitChunk chunk;
    chunk.first = pattern;
    chunk.before = at - (pattern == 0 ? 0 : all.hit_ends[pattern - 1]);
    const std::uint64_t begin = at;
    std::vector<std::uint64_t> ends;
    while (pattern < all.counts.size() && at - begin < most) {
      at = std::min(all.hit_ends[pattern], begin + most);
      ends.push_back(at - begin);
      if (at < all.hit_ends[pattern]) break;
      ++pattern;
    }
    chunk.counts = std::span(all.counts).subspan(chunk.first, ends.size());
    chunk.ends = ends;
    chunk.hits = std::span(all.hits).subspan(begin, at - begin);
    sink(chunk);
  }
}

}  // namespace

TEST_CASE("patterns that are their own reverse complement are recognised") {
  const Encoded patterns({"GAATTC", "ACGT", "AT", "A", "ACG", "AA", "", "ANNT", "GAATTCC"});
  const std::vector<bool> expected = {true, true, true, false, false, false, false, false, false};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(is_own_reverse_complement(patterns.view()[i]) == expected[i]);
  }
}

TEST_CASE("hits of palindromes come once however they are cut into chunks") {
  const Encoded patterns({"AT", "AC", "GG", "CG", "TA"});
  Hits all;
  const auto add = [&all](std::vector<Hit> hits) {
    StrandCounts counts;
    for (const Hit& hit : hits)
      ++(hit.is_reverse() ? counts.reverse : counts.forward);
    all.counts.push_back(counts);
    all.hits.insert(all.hits.end(), hits.begin(), hits.end());
    all.hit_ends.push_back(all.hits.size());
  };
  add({{3, false}, {3, true}, {9, false}, {9, true}});
  add({{1, true}, {4, false}, {8, true}});
  add({});
  add({{2, false}, {2, true}});
  add({{5, false}, {5, true}, {6, false}, {6, true}});
  for (std::size_t most = 1; most <= all.hits.size() + 1; ++most) {
    CAPTURE(most);
    Hits kept;
    std::size_t next = 0;
    const HitSink sink = [&](const HitChunk& chunk) {
      // A chunk begins with a new pattern, or has more hits of the last one.
      REQUIRE(chunk.patterns() > 0);
      if (chunk.before > 0) {
        CHECK(chunk.first + 1 == next);
        CHECK(chunk.ends.front() > 0);
        CHECK(chunk.before + chunk.ends.front() <= chunk.reported(0));
      } else {
        CHECK(chunk.first == next);
      }
      next = chunk.first + chunk.patterns();
      kept.append(chunk);
    };
    const Patterns view = patterns.view();
    PalindromeFilter filter(view, sink);
    give_in_chunks(all, most, [&](const HitChunk& chunk) { filter.pass_on(chunk); });
    CHECK(next == 5);
    CHECK(kept.hits == std::vector<Hit>{{3, false},
                                        {9, false},
                                        {1, true},
                                        {4, false},
                                        {8, true},
                                        {2, false},
                                        {5, false},
                                        {6, false}});
    CHECK(kept.hit_ends == std::vector<std::uint64_t>{2, 5, 5, 6, 8});
    CHECK(kept.counts[0].reverse == 0);
    CHECK(kept.counts[1].reverse == 2);
    CHECK(kept.counts[4].total() == 2);
  }
}
