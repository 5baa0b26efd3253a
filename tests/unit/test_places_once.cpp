// Places that a pattern matches on both strands, reported once by searches with mismatches.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "run/places_once.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// All hits of patterns, as the chunks have them.
struct Found {
  std::vector<std::vector<Hit>> hits;
  std::vector<StrandCounts> totals;

  HitSink sink() {
    return [this](const HitChunk& chunk) {
      for (std::size_t i = 0; i < chunk.patterns(); ++i) {
        const std::size_t pattern = chunk.first + i;
        const bool goes_on = i == 0 && chunk.before > 0;
        REQUIRE(hits.size() == pattern + (goes_on ? 1 : 0));
        if (!goes_on) hits.emplace_back();
        if (!goes_on) totals.push_back(chunk.counts[i]);
        REQUIRE(hits.back().size() == (goes_on ? chunk.before : 0));
        const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
        REQUIRE((chunk.ends[i] > begin || !goes_on));
        for (std::uint64_t at = begin; at < chunk.ends[i]; ++at)
          hits.back().push_back(chunk.hits[at]);
      }
    };
  }
};

/// The place's hits on both strands, of which the better one counts.
Found naive(const MismatchSearcher& searcher, const SetPatterns& patterns,
            const MismatchRequest& request) {
  Found both, once;
  searcher.stream(patterns, {request.strands, request.mismatches}, both.sink());
  for (const std::vector<Hit>& hits : both.hits) {
    std::vector<Hit> kept;
    for (const Hit& hit : hits) {
      const bool same = !kept.empty() && kept.back().position() == hit.position();
      if (!same) kept.push_back(hit);
      if (same && hit.mismatches() < kept.back().mismatches()) kept.back() = hit;
    }
    StrandCounts total;
    for (const Hit& hit : kept)
      ++(hit.is_reverse() ? total.reverse : total.forward);
    keep_fewest_mismatches(kept, request.max_hits);
    once.hits.push_back(kept);
    once.totals.push_back(total);
  }
  return once;
}

void check(const MismatchSearcher& searcher, const SetPatterns& patterns,
           const MismatchRequest& request) {
  const Found expected = naive(searcher, patterns, request);
  Found found;
  stream_places_once(searcher, patterns, request, found.sink());
  REQUIRE(found.hits == expected.hits);
  MismatchCounts counts;
  count_places_once(searcher, patterns, request, counts);
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (const StrandCounts& total : {counts.total(i), found.totals[i]}) {
      CHECK(total.forward == expected.totals[i].forward);
      CHECK(total.reverse == expected.totals[i].reverse);
    }
    if (request.max_hits != unlimited) continue;
    for (std::uint32_t m = 0; m <= request.mismatches; ++m)
      CHECK(counts.at(i, m) ==
            static_cast<std::uint64_t>(std::ranges::count_if(
                expected.hits[i], [m](const Hit& hit) { return hit.mismatches() == m; })));
  }
}

StrandMeeting meeting(std::string_view letters, std::uint32_t mismatches, bool iupac = false) {
  SetPatternBuffer buffer;
  buffer.add(letters, iupac);
  return strand_meeting(buffer.patterns()[0], mismatches);
}

}  // namespace

TEST_CASE("whether both strands of a pattern can match one place") {
  CHECK(meeting("GAATTC", 1) == StrandMeeting::always);
  CHECK(meeting("", 1) == StrandMeeting::always);
  CHECK(meeting("GRATYC", 0, true) == StrandMeeting::always);
  CHECK(meeting("RAATTC", 0, true) == StrandMeeting::sometimes);
  CHECK(meeting("GAATTA", 0) == StrandMeeting::never);
  CHECK(meeting("GAATTA", 1) == StrandMeeting::sometimes);
  CHECK(meeting("ACA", 1) == StrandMeeting::never);
  CHECK(meeting("ACA", 2) == StrandMeeting::sometimes);
  CHECK(meeting("ACAGT", 1) == StrandMeeting::sometimes);
}

TEST_CASE("a place on both strands is reported once, with its fewest mismatches") {
  Random random(run_seed());
  const Text text =
      text_of_records({random_string(random, 150, "AT"), random_string(random, 200, "ACGT"),
                       "ACGTTAACGA", "", random_string(random, 9, "ACGT")});
  const PlainMismatchSearcher searcher(text.view(), {.hits_at_once = 7});
  SetPatternBuffer patterns;
  for (const char* letters : {"ACGTTAACGA", "TATA", "NNNA", "RAATTC", "TAT", "GATTACA", "ATTTA"})
    patterns.add(letters, true);
  for (int i = 0; i < 6; ++i)
    patterns.add(random_string(random, 3 + below(random, 4), "ACGT"), false);
  for (const std::uint32_t mismatches : {0, 1, 2}) {
    for (const std::uint64_t most : {unlimited, std::uint64_t{1}, std::uint64_t{5}})
      check(searcher, patterns.patterns(), {Strands::both, mismatches, most});
  }
}

TEST_CASE("places that are reported once may be more than one chunk holds") {
  std::string record;
  for (int i = 0; i < 40'000; ++i)
    record += "AT";
  const Text text = text_of_records({record});
  const PlainMismatchSearcher searcher(text.view());
  SetPatternBuffer patterns;
  for (const char* letters : {"GGGGGG", "ATA", "GGGGGG", "TATATT", "ATA", "ACGACG"})
    patterns.add(letters, false);
  for (const std::uint64_t most : {unlimited, std::uint64_t{5}})
    check(searcher, patterns.patterns(), {Strands::both, 2, most});
}
