// Circular records and regions through the public headers: what a naive scan of the records, turned
// once more, finds; and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gsx/error.hpp"
#include "gsx/guides.hpp"
#include "gsx/matches.hpp"
#include "gsx/primers.hpp"
#include "gsx/search.hpp"
#include "support/iupac.hpp"
#include "support/scan.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

const std::vector<std::string> records = {"GATTACAGGCCATTACAGATTTACAGNCCAATTGATTACCG",
                                          "ACGTTGATTACANGATTACAACC", "TACAGAT"};

std::string turned(std::string letters) {
  std::reverse(letters.begin(), letters.end());
  for (char& base : letters)
    base = complement_of_base(base);
  return letters;
}

/// Whether one of the regions holds the place; symbols behind the end of a record are the first.
bool is_held(const Occurrence& place, const SearchOptions& options) {
  if (!options.regions) return true;
  for (std::uint64_t at = place.begin; at < place.end; ++at) {
    const std::uint64_t symbol = at % records[place.record].size();
    const bool held = std::ranges::any_of(*options.regions, [&](const RecordRange& range) {
      return range.record == place.record && range.begin <= symbol && symbol < range.end;
    });
    if (!held) return false;
  }
  return true;
}

/// All places of a pattern. Pre: regions that overlap are one.
std::vector<Occurrence> places_of(const std::string& pattern, std::uint32_t most,
                                  const SearchOptions& options) {
  std::vector<Occurrence> found;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    const std::string& record = records[r];
    const bool circular = std::ranges::count(options.circular, r) != 0;
    for (std::uint64_t begin = 0; begin < record.size(); ++begin) {
      const std::string around = circular ? record + record : record;
      if (pattern.size() > record.size() || begin + pattern.size() > around.size()) continue;
      const std::string letters = around.substr(begin, pattern.size());
      if (letters.find('N') != std::string::npos) continue;
      for (const bool reverse : {false, true}) {
        const std::string strand = reverse ? turned(letters) : letters;
        std::uint32_t differ = 0;
        for (std::size_t i = 0; i < strand.size(); ++i)
          differ += strand[i] != pattern[i] ? 1 : 0;
        const Occurrence place{r, begin, begin + pattern.size(), reverse, differ};
        if (differ <= most && is_held(place, options)) found.push_back(place);
      }
    }
  }
  return found;
}

std::vector<SearchOptions> ways() {
  std::vector<SearchOptions> all(5, {.device = "cpu", .threads = 2});
  all[1].circular = {2, 0, 0};
  all[2].regions = {{{0, 3, 30}, {1, 0, 7}, {1, 5, 99}}};
  all[3].circular = {0, 1, 2};
  all[3].regions = {{{0, 0, 9}, {0, 30, 41}, {2, 1, 7}}};
  all[4].regions.emplace();
  return all;
}

std::uint64_t total(const std::vector<StrandCounts>& counts) {
  std::uint64_t sum = 0;
  for (const StrandCounts& some : counts)
    sum += some.total();
  return sum;
}

}  // namespace

TEST_CASE("places across origins and within regions are those of a scan") {
  const Text text = text_of_records(records);
  const Index index = build_index(text_of_records(records));
  const std::vector<std::string_view> patterns = {"GATTACA", "CCGGAT", "ACCACG",   "TGTAATC",
                                                  "TA",      "ATTA",   "TACAGATTA"};
  for (const SearchOptions& options : ways()) {
    for (const std::uint32_t most : {0u, 1u}) {
      const MismatchOptions near{.mismatches = most};
      const auto check = [&](const auto& searcher, const auto& searched, const auto& request) {
        std::vector<std::vector<Occurrence>> found(patterns.size());
        searcher.locate(patterns, request, [&](const HitChunk& chunk) {
          std::size_t hit = 0;
          for (std::size_t i = 0; i < chunk.patterns(); ++i)
            for (; hit < chunk.ends[i]; ++hit)
              found[chunk.first + i].push_back(
                  occurrence_of(searched, chunk.hits[hit], patterns[chunk.first + i].size()));
        });
        for (std::size_t i = 0; i < patterns.size(); ++i) {
          CAPTURE(patterns[i]);
          CHECK(found[i] == places_of(std::string(patterns[i]), most, options));
        }
        return found;
      };
      check(MismatchBatchSearcher(text, options), text, near);
      const MismatchBatchSearcher searcher(index, options);
      const auto found = check(searcher, index, near);
      std::size_t all = 0;
      for (const auto& places : found)
        all += places.size();
      CHECK(total(searcher.count(patterns, near)) == all);
      if (most != 0) continue;
      const BatchSearcher exact(index, options);
      check(exact, index, LocateRequest{});
      CHECK(total(exact.count(patterns)) == all);
    }
  }
}

TEST_CASE("products of primers, and sites of guides, span origins and keep to regions") {
  // CAGGAT and its turned ATCCTG lie around the origin.
  const std::vector<std::string> circle = {"GATTTTTTTTTTTCCAAACAG"};
  const Index index = build_index(text_of_records(circle));
  SearchOptions options{.device = "cpu"};
  const auto products = [&] {
    std::vector<Amplicon> found;
    const PrimerPair pair{"p", "CAGGAT", "AAAAAAAT"};
    AmpliconSearcher(index, options)
        .find({&pair, 1}, {.least = 10}, [&](const AmpliconChunk& chunk) {
          found.insert(found.end(), chunk.amplicons.begin(), chunk.amplicons.end());
        });
    return found;
  };
  CHECK(products().empty());
  options.circular = {0};
  REQUIRE(products().size() == 1);
  CHECK((products()[0].begin == 18 && products()[0].end == 30));
  options.regions = {{{0, 0, 9}, {0, 18, 21}}};
  CHECK(products().size() == 1);
  options.regions->front().end = 8;
  CHECK(products().empty());

  const std::vector<std::string_view> guides = {"CCAAA"};
  const GuideOptions guide{.pams = {"CAGGA"}, .mismatches = 1};
  const auto sites = [&](const GuideOptions& asked) {
    const GuideSearcher searcher(index, options);
    std::vector<std::string> found;
    searcher.locate(guides, asked, [&](const ScoredHitChunk& chunk) {
      for (const Hit hit : chunk.hits)
        found.push_back(std::to_string(hit.position()) + searcher.site(hit, guides[0], asked));
    });
    return found;
  };
  options.regions.reset();
  CHECK(sites(guide) == std::vector<std::string>{"13CCAAACAGGA"});
  GuideOptions bulged = guide;
  bulged.dna_bulge = 1;
  CHECK_THROWS_AS(sites(bulged), UsageError);
  options.circular.clear();
  CHECK(sites(guide).empty());
  const GuideSearcher linear(index, options);
  CHECK_THROWS_AS(linear.site(Hit(13, false), guides[0], guide), UsageError);
}

TEST_CASE("circular records and regions that do not exist are refused") {
  const Index index = build_index(text_of_records(records));
  CHECK_THROWS_WITH_AS(BatchSearcher(index, {.circular = {3}}),
                       "there is no record 3: there are 3, counted from 0", UsageError);
  CHECK_THROWS_AS(BatchSearcher(index, {.regions = {{{3, 0, 1}}}}), UsageError);
  CHECK_THROWS_WITH_AS(MismatchBatchSearcher(index, {.regions = {{{0, 2, 1}}}}),
                       "a region begins at 2, behind its end, which is 1", UsageError);
  CHECK_THROWS_AS(MaximalMatchSearcher(index, {.circular = {0}}), UsageError);
  CHECK_THROWS_AS(MaximalMatchSearcher(index, {.regions = {{{0, 0, 1}}}}), UsageError);
  const Sequence protein{.name = "p", .symbols = "MKVLWAALLVTFLAGCQA"};
  const Index proteins = build_index(make_text({&protein, 1}));
  CHECK_THROWS_WITH_AS(BatchSearcher(proteins, {.circular = {0}}),
                       "circular records need DNA; these are of protein", UsageError);
  const std::vector<std::string_view> patterns = {"AL"};
  CHECK(BatchSearcher(proteins, {.regions = {{{0, 4, 7}}}}).count(patterns)[0].forward == 0);
  CHECK(BatchSearcher(proteins, {.regions = {{{0, 4, 8}}}}).count(patterns)[0].forward == 1);
}
