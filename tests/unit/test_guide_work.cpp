// What the search of guides does not do twice.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/guides/guide_search.hpp"
#include "search/sites/site_hits.hpp"
#include "support/mismatch_cases.hpp"
#include "support/plain_mismatches.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Counts the patterns that it is asked for.
class CountingSearcher final : public MismatchSearcher {
 public:
  explicit CountingSearcher(const TextView& text) : plain_(text, {}) {}
  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    asked += patterns.size();
    plain_.count(patterns, request, counts);
  }
  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    asked += patterns.size();
    plain_.stream(patterns, request, sink);
  }
  mutable std::size_t asked = 0;

 private:
  PlainMismatchSearcher plain_;
};

GuideBatch batch_of(const std::vector<std::string>& guides, const std::vector<Pam>& pams) {
  GuideBatch batch;
  for (const std::string& guide : guides) {
    batch.records.begin_record(guide, "");
    batch.records.append(guide);
  }
  UnaskedQueries unasked;
  prepare_guides(batch, pams, GuideEnds::guide, 1, unasked);
  return batch;
}

}  // namespace

TEST_CASE("equal guides are searched once if their sites are only counted") {
  Random random(31);
  const std::string genome =
      random_string(random, 400, "ACGT") + std::string(60, 'A') + random_string(random, 400, "AG");
  const Text text = text_of_records({genome});
  const std::string a(20, 'A'), other = genome.substr(10, 20);
  // One cannot be asked for.
  const std::vector<std::string> guides = {a, other, a, "NNNNN", a, other, "NNNNN", a};
  for (const std::size_t pam_count : {1, 2}) {
    std::vector<Pam> pams = {{"NAA", false}};
    if (pam_count == 2) pams.push_back({"NGG", false});
    const SiteScorer scorer = SiteScorer::mit(pams.front());
    const SiteReport report(text.view(), text.records_view(), pams, scorer, 1);
    const CountingSearcher searcher(text.view());
    const GuideSearch search(searcher, report, 1000);
    for (const bool drops : {false, true}) {
      CAPTURE(drops);
      GuideRequest request{.mismatches = 1};
      if (drops) request.stop_at = StopAt{0, 3};
      GuideBatch all = batch_of(guides, pams);
      const GuidesFound found = search.search(all, request, {});
      CHECK(searcher.asked == 3 * pam_count * (drops ? 2 : 1));
      for (std::size_t i = 0; i < guides.size(); ++i) {
        CAPTURE(i);
        GuideBatch one = batch_of({guides[i]}, pams);
        const GuidesFound alone = search.search(one, request, {});
        for (const bool reverse : {false, true})
          CHECK(std::ranges::equal(found.tally.counts.of(i, reverse),
                                   alone.tally.counts.of(0, reverse)));
        CHECK(found.dropped[i] == alone.dropped[0]);
        if (!alone.tally.scores.empty())
          CHECK(found.tally.scores[i].of_others() == alone.tally.scores[0].of_others());
      }
      searcher.asked = 0;
    }
  }
}

TEST_CASE("lines of sites have keys only if they are to be sorted") {
  const Text text = text_of_records({"ACGTTGCAACTGGACGTTGCAACAGG"});
  const std::vector<Pam> pams = {{"NGG", false}};
  const SiteReport report(text.view(), text.records_view(), pams, SiteScorer(), 1);
  const CountingSearcher searcher(text.view());
  for (const bool sorted : {false, true}) {
    GuideBatch batch = batch_of({"ACGTTGCAAC"}, pams);
    std::size_t lines = 0, keys = 0;
    const auto count = [&](const PlaceLines& written) {
      lines += static_cast<std::size_t>(std::ranges::count(written.text, '\n'));
      keys += written.keys.size();
    };
    const PlaceLineOptions bed{ResultFormat::bed, sorted};
    GuideSearch(searcher, report, 1000)
        .search(batch, {.mismatches = 1}, [&](const SiteChunk& chunk, SiteTally* tally) {
          report.take(batch, chunk, tally, bed, count);
        });
    CHECK(lines == 2);
    CHECK(keys == (sorted ? lines : 0));
  }
}

TEST_CASE("many patterns with a hit each are held together") {
  constexpr std::size_t patterns = 1000;
  SiteHits hits(8 * patterns);
  hits.reset(patterns);
  for (std::size_t i = 0; i < patterns; ++i) {
    SiteHits::Writer writer(hits, i, 0, Strands::both);
    writer.add(static_cast<std::uint32_t>(2 * i), 1);
    writer.finish();
  }
  std::size_t given = 0;
  const BatchFound found =
      hits.give(0, {Strands::both, 1}, [&](const HitChunk& chunk) { given += chunk.patterns(); });
  CHECK(found.complete == patterns);
  CHECK(given == patterns);
  CHECK(found.fitting >= patterns / 2);
}
