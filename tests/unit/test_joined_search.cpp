// Joining the hits of several PAMs: what one PAM that stands for all of them has, whatever is held.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/guides/joined_hits.hpp"
#include "analysis/guides/pam.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Found {
  std::vector<std::vector<Hit>> hits;
  std::vector<std::uint64_t> totals;
  bool operator==(const Found&) const = default;

  void take(const HitChunk& chunk) {
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t guide = chunk.first + i;
      if (hits.size() <= guide) {
        REQUIRE(hits.size() == guide);
        hits.emplace_back();
        totals.push_back(chunk.counts[i].total());
      }
      CHECK(totals[guide] == chunk.counts[i].total());
      if (i == 0) CHECK(hits[guide].size() == chunk.before);
      const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
      const auto some = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      hits[guide].insert(hits[guide].end(), some.begin(), some.end());
    }
  }
};

struct Case {
  Text text;
  SetPatternBuffer joined, several;

  Case(const std::vector<std::string>& records, const std::vector<std::string>& guides)
      : text(text_of_records(records)) {
    for (const std::string& guide : guides) {
      joined.add(guide.empty() ? std::vector<BaseSet>() : Pam{"NH"}.pattern_of(guide));
      for (const char* pam : {"NC", "NW"})
        several.add(guide.empty() ? std::vector<BaseSet>() : Pam{pam}.pattern_of(guide));
    }
  }
};

}  // namespace

TEST_CASE("the hits of several PAMs are those of one PAM, however few may be held or passed on") {
  Random random(run_seed());
  for (int round = 0; round < rounds(6); ++round) {
    const std::string record = random_string(random, 300, below(random, 2) == 0 ? "AC" : "ACGT");
    const Case c(
        {std::string(90, 'A'), record, "ACA", std::string(40, 'T') + record},
        {record.substr(9, 6), "", "AAAAA", "AAAAA", record.substr(50, 4), "TTTTT", "GGGGGG"});
    const PlainMismatchSearcher searcher(c.text.view());
    for (const std::uint64_t max_hits : {unlimited, std::uint64_t{1}, std::uint64_t{30}}) {
      const MismatchRequest request{Strands::both, 2, max_hits};
      Found expected;
      searcher.stream(c.joined.patterns(), request,
                      [&](const HitChunk& chunk) { expected.take(chunk); });
      for (const std::uint64_t most : {1, 2, 5, 33, 100, 100000}) {
        CAPTURE(most);
        for (const std::uint64_t at_once : {1, 7, 1 << 20}) {
          Found found;
          JoinedSearch(searcher, c.several.patterns(), 2, most, at_once)
              .stream(request, [&](const HitChunk& chunk) {
                CHECK(chunk.hits.size() <= at_once);
                if (!chunk.hits.empty() && chunk.patterns() == 1)
                  CHECK(chunk.fewest_mismatches <= chunk.hits[0].mismatches());
                found.take(chunk);
              });
          CHECK(found == expected);
        }
      }
    }
  }
}

TEST_CASE("the hits of several PAMs come in any order where that is enough") {
  const Case c({std::string(200, 'A'), "ACACACTTTTTTT"}, {"ACACA", "AAAA", "", "TTTT"});
  const PlainMismatchSearcher searcher(c.text.view());
  Found expected;
  searcher.stream(c.joined.patterns(), {Strands::both, 1},
                  [&](const HitChunk& chunk) { expected.take(chunk); });
  std::vector<std::vector<Hit>> found(4);
  JoinedSearch(searcher, c.several.patterns(), 2, 1)
      .stream_unordered({Strands::both, 1}, [&](const HitChunk& chunk) {
        for (std::size_t i = 0; i < chunk.patterns(); ++i) {
          const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
          const auto some = chunk.hits.subspan(begin, chunk.ends[i] - begin);
          found[chunk.first + i].insert(found[chunk.first + i].end(), some.begin(), some.end());
        }
      });
  for (std::vector<Hit>& hits : found)
    std::sort(hits.begin(), hits.end());
  CHECK(found == expected.hits);
}
