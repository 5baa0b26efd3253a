// Sites with bulges against a comparison of every place, gapped in every way, on random and on
// awkward texts. A failure names the seed of its case: GSX_SEED=SEED GSX_CASES=1 repeats it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/guides/bulge_search.hpp"
#include "search/mismatches/scan_searcher.hpp"
#include "search/sites/site_searcher.hpp"
#include "support/bulge_cases.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Found {
  std::vector<Sites> sites;
  std::vector<std::uint64_t> totals;
};

Found find(const BulgeSearch& search, const GuideBatch& batch,
           const BulgeSearch::Request& request) {
  Found found;
  search.stream(batch, request, [&](const SiteChunk& chunk) {
    REQUIRE(chunk.bulges.size() == chunk.hits.size());
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t guide = chunk.first + i;
      if (found.sites.size() <= guide) {
        REQUIRE(found.sites.size() == guide);
        found.sites.emplace_back();
        found.totals.push_back(chunk.counts[i].total());
      }
      if (i == 0) CHECK(found.sites[guide].size() == chunk.before);
      for (std::uint64_t n = begin; n < chunk.ends[i]; ++n) {
        const Hit& hit = chunk.hits[n];
        found.sites[guide].push_back(
            {hit.position(), hit.is_reverse(), chunk.bulges[n], hit.mismatches()});
      }
      begin = chunk.ends[i];
    }
  });
  return found;
}

/// Compares the search, by table and by scan, with much room and with little, with naive_sites().
void check(const std::vector<std::string>& records, const std::vector<std::string>& guides,
           const std::vector<Pam>& pams, const BulgeSearch::Request& request) {
  const Text text = make_text(records);
  GuideBatch batch;
  for (const std::string& guide : guides) {
    batch.records.begin_record(guide, "");
    batch.records.append(guide);
  }
  UnaskedQueries unasked;
  prepare_guides(batch, pams, GuideEnds::guide, request.mismatches, unasked);
  BulgeSearch::Request all = request;
  all.max_hits = unlimited;
  std::vector<Sites> expected;
  std::vector<std::uint64_t> totals;
  for (std::size_t i = 0; i < guides.size(); ++i) {
    const bool asked = !batch.pattern_of(i).empty();
    expected.push_back(asked ? naive_sites(records, guides[i], pams, request) : Sites());
    totals.push_back(asked ? naive_sites(records, guides[i], pams, all).size() : 0);
  }
  for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{40}, unlimited}) {
    for (const std::size_t worth_a_table : {std::size_t{1}, std::size_t{1} << 40}) {
      CAPTURE(most);
      CAPTURE(worth_a_table);
      const SearchMemory memory{.hits_at_once = std::min<std::uint64_t>(most, 1 << 20) * 3};
      const SiteSearcher searcher(
          text.view(), std::make_unique<ScanSearcher>(text.view(), 1, memory, best_cpu_path()), 2,
          memory, unlimited, best_cpu_path(), worth_a_table);
      const BulgeSearch search(text.view(), searcher, pams, most, worth_a_table, 2);
      const Found found = find(search, batch, request);
      CHECK(found.totals == totals);
      REQUIRE(found.sites.size() == expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        CAPTURE(guides[i]);
        CHECK(std::equal(found.sites[i].begin(), found.sites[i].end(), expected[i].begin(),
                         expected[i].end()));
      }
    }
  }
}

/// A guide, often with the same base in a row, sometimes with IUPAC codes.
std::string random_guide(Random& random) {
  std::string guide;
  const std::uint64_t length = 2 + below(random, below(random, 8) == 0 ? 30 : 12);
  while (guide.size() < length)
    guide.append(1 + below(random, 3), "ACGT"[below(random, 4)]);
  if (below(random, 4) == 0) guide[below(random, guide.size())] = "RYSWKMBDHVN"[below(random, 11)];
  if (below(random, 10) == 0) guide.assign(guide.size(), 'A');
  return guide;
}

/// Sites of the guides, changed here and there, and what lies between.
std::string random_record(Random& random, const std::vector<std::string>& guides,
                          std::uint64_t length) {
  const std::string symbols = below(random, 3) == 0 ? "ACGTN" : "ACGT";
  std::string record;
  while (record.size() < length) {
    std::string piece = guides[below(random, guides.size())];
    for (char& c : piece)
      if (symbols.find(c) == std::string::npos || below(random, 12) == 0)
        c = symbols[below(random, symbols.size())];
    const std::size_t at = below(random, piece.size());
    if (below(random, 3) == 0)
      piece.insert(at, random_string(random, 1 + below(random, 2), symbols));
    if (below(random, 3) == 0) piece.erase(at, 1 + below(random, 2));
    piece = (below(random, 2) == 0 ? "TTTA" : "") + piece + (below(random, 4) == 0 ? "AAG" : "TGG");
    if (below(random, 2) == 0 && piece.find('N') == std::string::npos) piece = turned(piece);
    record += piece + random_string(random, below(random, 6), symbols);
  }
  if (below(random, 2) == 0) record.resize(length);  // ends within a site
  return record;
}

}  // namespace

TEST_CASE("sites with bulges are those of a comparison in every way, whatever finds them") {
  const std::uint64_t first_seed = run_seed();
  const std::vector<std::vector<Pam>> all_pams = {{{"NGG", false}},
                                                  {{"NGG", false}, {"NAG", false}},
                                                  {{"TTTV", true}},
                                                  {{"N", false}},
                                                  {{"NRN", true}}};
  for (std::uint64_t n = 0; n < random_cases(40); ++n) {
    const std::uint64_t seed = first_seed + n;
    CAPTURE(seed);
    Random random(seed);
    std::vector<std::string> guides;
    for (std::uint64_t i = 0; i < 1 + below(random, 4); ++i)
      guides.push_back(random_guide(random));
    if (below(random, 3) == 0) guides.push_back(guides[0]);
    std::vector<std::string> records;
    for (std::uint64_t i = 0; i < 1 + below(random, 3); ++i)
      records.push_back(random_record(random, guides, (i == 0 ? 1 : 0) + below(random, 250)));
    records.emplace_back("ACG");  // the others may hold no base
    BulgeSearch::Request request;
    request.limits.dna = static_cast<std::uint32_t>(below(random, 4));
    request.limits.rna = static_cast<std::uint32_t>(below(random, 4));
    request.mismatches = static_cast<std::uint32_t>(below(random, 4));
    if (below(random, 3) == 0) request.max_hits = 1 + below(random, 10);
    if (below(random, 3) == 0) request.strands = static_cast<Strands>(1 + below(random, 2));
    check(records, guides, all_pams[below(random, all_pams.size())], request);
  }
}

TEST_CASE("bulges in runs of one base, at N, at borders, and at the first and the last base") {
  const std::vector<Pam> ngg = {{"NGG", false}};
  const BulgeSearch::Request request{{2, 2}, 1, unlimited};
  const std::string guide = "ACGTTGCAAC";
  // Every place of the bulge is as good as another.
  check({std::string(40, 'A') + "TGG" + std::string(30, 'A') + "CGG"}, {"AAAAAAAA", "AAAAAAAA"},
        ngg, request);
  check({std::string(60, 'G')}, {"GGGGGGGG", "GGGGTGGG"}, ngg, request);
  // At position 0 and at the last base, on both strands; across a border, and with N in the bulge.
  const std::string longer = "ACGTATGCAACTGG", shorter = "ACGTGCAACTGG";
  check({longer, shorter, turned(longer), turned(shorter), longer + turned(shorter)},
        {guide, guide}, ngg, request);
  check({"ACGT", "TGCAACTGG", "ACGTNTGCAACTGG", "ACGTNGCAACTGG", "N" + longer + "N" + shorter},
        {guide}, ngg, request);
  // A palindrome; guides too short for a bulge; N where the bulge is.
  check({"CCAACGTACGTTGGCCTACGTACGTAAGG"}, {"ACGTACGT", "AACGTACGTT"}, ngg, request);
  check({"CCATTGGACCGGTGGACTGGAATGG"}, {"AC", "ACC", "ACCG", "A", ""}, ngg, {{3, 3}, 0, unlimited});
  check({"CCATTGGACCGGTGGACTGGAATGGACNCGTGG"}, {"NNNANNN", "ANNC", "NNNN"}, ngg, request);
  check({longer}, {}, ngg, request);
}

TEST_CASE("a guide with very many sites with bulges is answered, chunk by chunk") {
  const std::string record(90000, 'G');
  const Text text = make_text({record});
  GuideBatch batch;
  batch.records.begin_record("g", "");
  batch.records.append("GGGGG");
  UnaskedQueries unasked;
  const std::vector<Pam> pams = {{"NGG", false}};
  prepare_guides(batch, pams, GuideEnds::guide, 0, unasked);
  const ScanSearcher scan(text.view(), 1, {}, best_cpu_path());
  for (const std::uint64_t most : {std::uint64_t{1000}, unlimited}) {
    const BulgeSearch search(text.view(), scan, pams, most, 128, 2);
    const Found found = find(search, batch, {{1, 1}, 0, unlimited});
    CHECK(found.totals == std::vector<std::uint64_t>{3 * (record.size() - 7)});
    REQUIRE(found.sites.size() == 1);
    CHECK(found.sites[0].size() == found.totals[0]);
    CHECK(std::is_sorted(found.sites[0].begin(), found.sites[0].end()));
    CHECK(found.sites[0].front() == Site{0, false, -1, 0});
    CHECK(find(search, batch, {{1, 1}, 0, 70000}).sites[0].size() == 70000);
  }
}
