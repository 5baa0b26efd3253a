// Guides with bulges, and guides that are dropped, through the public header.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "gsx/error.hpp"
#include "gsx/guides.hpp"
#include "support/bulge_cases.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("a GuideSearcher finds sites with bulges, and gives their letters") {
  Random random(31);
  const std::string record = random_string(random, 700, "ACGT");
  const std::vector<std::string> records = {record,
                                            record.substr(20, 40) + "A" + record.substr(60, 30)};
  const std::vector<std::string> guides = {record.substr(300, 20), record.substr(50, 20), "ACGTN",
                                           "AC?"};
  const std::vector<std::string_view> views(guides.begin(), guides.end());
  const Text text = make_text(records);
  for (const std::uint64_t at_once : {std::uint64_t{5}, std::uint64_t{1} << 20}) {
    SearchOptions search;
    search.memory.hits_at_once = at_once;
    search.threads = 2;
    const GuideSearcher searcher(text, search);
    GuideOptions options;
    options.pams = {"NG"};
    options.mismatches = 2;
    options.dna_bulge = 2;
    options.rna_bulge = 1;
    const BulgeSearch::Request request{{2, 1}, 2, unlimited};
    std::vector<Sites> found(guides.size());
    const auto all = searcher.locate(views, options, [&](const ScoredHitChunk& chunk) {
      CHECK(chunk.hits.size() <= at_once);
      REQUIRE(chunk.bulges.size() == chunk.hits.size());
      std::size_t hit = 0;
      for (std::size_t i = 0; i < chunk.patterns(); ++i) {
        const std::string& guide = guides[chunk.first + i];
        for (; hit < chunk.ends[i]; ++hit) {
          const int bulge = chunk.bulges[hit];
          const Hit at = chunk.hits[hit];
          found[chunk.first + i].push_back(
              {at.position(), at.is_reverse(), bulge, at.mismatches()});
          const std::string letters = searcher.site(at, guide, options, bulge);
          REQUIRE(letters.size() == guide.size() + 2 + static_cast<std::size_t>(bulge));
          CHECK(std::ranges::count_if(letters, [](char c) { return c >= 'a'; }) == at.mismatches());
          CHECK(std::isnan(chunk.scores[hit]) == (bulge != 0 || guide.size() != 20));
        }
      }
    });
    REQUIRE(all.size() == guides.size());
    CHECK(searcher.count(views, options)[0].total() == all[0].total());
    for (std::size_t i = 0; i < guides.size(); ++i) {
      CAPTURE(i);
      const Sites expected =
          i == 3 ? Sites() : naive_sites(records, guides[i], {Pam{"NG"}}, request);
      CHECK(found[i] == expected);
      REQUIRE(all[i].counts.size() == options.classes());
      CHECK(options.classes() == 12);
      std::vector<std::uint64_t> classes(12, 0);
      for (const Site& site : expected)
        ++classes[BulgeLimits{2, 1}.number_of(static_cast<Bulge>(site.bulge)) * 3 +
                  site.mismatches];
      for (std::size_t c = 0; c < classes.size(); ++c)
        CHECK(all[i].counts[c].total() == classes[c]);
    }
  }
}

TEST_CASE("a GuideSearcher drops guides with too many sites") {
  const Text text = make_text({"ACGTACGTACGTAGG" + std::string(60, 'T') + "ACGTACGTACGTAGG"});
  const GuideSearcher searcher(text);
  GuideOptions options;
  options.mismatches = 2;
  const std::vector<std::string_view> guides = {"ACGTACGTACGT", "TTTTTTTACGTA"};
  for (const std::uint64_t most : {1, 2}) {
    options.stop_at = StopAt{1, most};
    std::size_t hits = 0;
    const auto found = searcher.locate(guides, options, [&](const ScoredHitChunk& chunk) {
      hits += chunk.first == 0 ? chunk.ends[0] : 0;
    });
    CHECK(found[0].dropped == (most == 1));
    CHECK(found[0].counts[0].total() == 2);
    CHECK_FALSE(found[1].dropped);
    CHECK(hits == (most == 1 ? 0 : 2));
  }
}

TEST_CASE("a GuideSearcher refuses bulges and limits that are out of range") {
  const Text text = make_text({"ACGTACGTACGTAGG"});
  const GuideSearcher searcher(text);
  const std::vector<std::string_view> guides = {"ACGTACGT"};
  GuideOptions options;
  options.rna_bulge = 6;
  CHECK_THROWS_WITH_AS(searcher.count(guides, options), "a bulge of 6 bases: it has at most 5",
                       UsageError);
  options.rna_bulge = 0;
  options.stop_at = StopAt{4, 10};
  CHECK_THROWS_AS(searcher.count(guides, options), UsageError);
  options.stop_at = {};
  CHECK_THROWS_AS(searcher.site(Hit(0, false), guides[0], options, 1), UsageError);
}
