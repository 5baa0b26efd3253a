// Searching guides through the public header: what a scan of the records finds, in an index and in
// a text; scores; and what is refused.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "gsx/error.hpp"
#include "gsx/guides.hpp"
#include "support/files.hpp"
#include "support/iupac.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Site {
  Occurrence place;
  std::string letters;
  double score = 0;
  friend bool operator==(const Site&, const Site&) = default;
};

/// The score of a site by the table, in per cent; letters of the guide are bases.
double score_of(const ScoreTable& table, std::string_view guide, std::string_view site,
                std::string_view pam) {
  constexpr std::string_view bases = "ACGT";
  double score = 100;
  for (std::size_t i = 0; i < guide.size(); ++i) {
    if (guide[i] == site[i]) continue;
    score *= table.weight(i, static_cast<std::uint32_t>(bases.find(guide[i])),
                          static_cast<std::uint32_t>(bases.find(site[i])));
  }
  double of_pam = 1;
  for (const ScoreTable::OfPam& one : table.pams)
    if (std::equal(pam.begin(), pam.end(), one.letters.begin(),
                   [](char base, char letter) { return stands_for(letter, base); }))
      of_pam = one.weight;
  return score * of_pam;
}

/// Every site of a guide, by comparing all places.
std::vector<Site> sites_of(const std::vector<std::string>& records, const std::string& guide,
                           const GuideOptions& options) {
  std::vector<Site> found;
  const std::size_t pam_size = options.pams[0].size(), size = guide.size() + pam_size;
  for (std::uint64_t r = 0; r < records.size(); ++r) {
    for (std::uint64_t p = 0; p + size <= records[r].size(); ++p) {
      for (const bool reverse : {false, true}) {
        std::string site = records[r].substr(p, size);
        if (site.find('N') != std::string::npos) continue;
        if (reverse) {
          std::reverse(site.begin(), site.end());
          for (char& base : site)
            base = complement_of_base(base);
        }
        const std::size_t at = options.pam_first ? pam_size : 0;
        const std::string pam = site.substr(options.pam_first ? 0 : guide.size(), pam_size);
        const std::string before = site.substr(at, guide.size());
        const bool beside_pam =
            std::any_of(options.pams.begin(), options.pams.end(), [&](const std::string& one) {
              return std::equal(pam.begin(), pam.end(), one.begin(),
                                [](char base, char letter) { return stands_for(letter, base); });
            });
        std::uint32_t mismatches = 0;
        for (std::size_t i = 0; i < guide.size(); ++i) {
          if (stands_for(guide[i], before[i])) continue;
          ++mismatches;
          site[at + i] = static_cast<char>(site[at + i] | 0x20);
        }
        if (!beside_pam || mismatches > options.mismatches) continue;
        const double score =
            options.score_table ? score_of(*options.score_table, guide, before, pam) : 0;
        found.push_back({{r, p, p + size, reverse, mismatches}, site, score});
      }
    }
  }
  return found;
}

/// What a searcher gives for guides, by guide. Checks that chunks are as they should be.
template <class Searched>
std::vector<std::vector<Site>> located(const GuideSearcher& searcher, const Searched& searched,
                                       const std::vector<std::string>& guides,
                                       const GuideOptions& options,
                                       std::vector<GuideSites>* figures = nullptr) {
  std::vector<std::vector<Site>> found(guides.size());
  const std::vector<std::string_view> views(guides.begin(), guides.end());
  std::size_t next = 0;
  const auto all = searcher.locate(views, options, [&](const ScoredHitChunk& chunk) {
    REQUIRE(chunk.first + (chunk.before > 0 ? 1 : 0) == next);
    REQUIRE(chunk.scores.size() == chunk.hits.size());
    std::size_t hit = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t guide = chunk.first + i;
      for (; hit < chunk.ends[i]; ++hit) {
        const std::uint64_t size = guides[guide].size() + options.pams[0].size();
        found[guide].push_back({occurrence_of(searched, chunk.hits[hit], size),
                                searcher.site(chunk.hits[hit], guides[guide], options),
                                std::isnan(chunk.scores[hit]) ? -1 : chunk.scores[hit]});
      }
    }
    next = chunk.first + chunk.patterns();
  });
  CHECK(next == guides.size());
  if (figures != nullptr) *figures = all;
  return found;
}

bool same_sites(const std::vector<Site>& a, const std::vector<Site>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Site& x, const Site& y) {
    return x.place == y.place && x.letters == y.letters && std::abs(x.score - y.score) < 1e-5;
  });
}

void check_figures(const GuideSites& figures, const std::vector<Site>& sites,
                   const GuideOptions& options) {
  REQUIRE(figures.counts.size() == options.mismatches + 1);
  std::vector<StrandCounts> counts(figures.counts.size());
  double sum = 0, own = 0;
  for (const Site& site : sites) {
    StrandCounts& some = counts[site.place.mismatches];
    ++(site.place.reverse ? some.reverse : some.forward);
    sum += site.score;
    if (site.place.mismatches == 0) own = std::max(own, site.score);
  }
  for (std::size_t m = 0; m < counts.size(); ++m) {
    CHECK(figures.counts[m].forward == counts[m].forward);
    CHECK(figures.counts[m].reverse == counts[m].reverse);
  }
  CHECK(figures.total() == sites.size());
  REQUIRE(figures.specificity.has_value() == !sites.empty());
  if (sites.empty()) return;
  CHECK(*figures.specificity == doctest::Approx(1e4 / (100 + sum - own)));
}

/// A table with other weights everywhere.
ScoreTable some_table(std::size_t guide_length) {
  ScoreTable table{.guide_length = guide_length};
  for (std::size_t i = 0; i < guide_length * 16; ++i)
    table.weights.push_back(static_cast<double>(i * 37 % 101) / 100);
  return table;
}

struct Genome {
  std::vector<std::string> records;

  explicit Genome(std::uint64_t seed) {
    Random random(seed);
    records = {random_string(random, 4000, "ACGT"), mutated_copies(random, 80, 40, 8, "ACGT"),
               "ACGG"};
    records[0][1000] = 'N';
    records[1].replace(300, 20, 20, 'N');
  }
  std::vector<std::string> guides(std::uint64_t seed, std::size_t count, std::size_t length) const {
    Random random(seed);
    std::vector<std::string> guides;
    while (guides.size() < count) {
      const std::string& record = records[below(random, 2)];
      std::string guide = record.substr(below(random, record.size() - length), length);
      if (guide.find('N') != std::string::npos) continue;
      guide[below(random, length)] = "ACGT"[below(random, 4)];
      guides.push_back(guide);
    }
    return guides;
  }
};

template <class Work>
void check_usage(const Work& work, const std::string& said) {
  try {
    work();
    FAIL("nothing was thrown");
  } catch (const UsageError& error) {
    CAPTURE(std::string(error.what()));
    CHECK(std::string(error.what()).find(said) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("public: guides have the sites and scores that a scan finds, in index and text") {
  const Genome genome(921);
  const Text text = text_of_records(genome.records);
  const Index index = build_index(text_of_records(genome.records), {.device = "cpu"});
  ScoreTable table = some_table(12);
  table.pams = {{"NGG", 1}, {"NAG", 0.25}};
  ScoreTable before = some_table(12);
  before.pams = {{"TTTN", 0.5}, {"TTTG", 0.75}};
  const GuideOptions ways[] = {
      {.mismatches = 4, .score_table = table},
      {.pams = {"NGG", "NAG"}, .mismatches = 3, .score_table = table},
      {.pams = {"TTTV"}, .pam_first = true, .mismatches = 4, .score_table = before}};
  // Few guides, and enough for a table of sites.
  for (const std::size_t count : {20, 300}) {
    const std::vector<std::string> guides = genome.guides(count, count, 12);
    for (const GuideOptions& options : ways) {
      std::vector<std::vector<Site>> all, two;
      for (const std::string& guide : guides)
        all.push_back(sites_of(genome.records, guide, options));
      for (const int threads : {1, 3}) {
        for (const std::uint64_t at_once : {std::uint64_t{100}, std::uint64_t{1} << 22}) {
          const SearchOptions search{
              .device = "cpu", .threads = threads, .memory = {.hits_at_once = at_once}};
          const auto check = [&](const GuideSearcher& searcher, const auto& searched) {
            CHECK(searcher.device() == "cpu");
            std::vector<GuideSites> figures;
            const auto found = located(searcher, searched, guides, options, &figures);
            const std::vector<std::string_view> views(guides.begin(), guides.end());
            const std::vector<GuideSites> counted = searcher.count(views, options);
            REQUIRE(counted.size() == guides.size());
            for (std::size_t i = 0; i < guides.size(); ++i) {
              CAPTURE(guides[i]);
              CHECK(same_sites(found[i], all[i]));
              check_figures(figures[i], all[i], options);
              check_figures(counted[i], all[i], options);
            }
          };
          check(GuideSearcher(index, search), index);
          check(GuideSearcher(text, search), text);
        }
      }
    }
  }
}

TEST_CASE("public: one strand has the sites of that strand") {
  const Genome genome(922);
  const Text text = text_of_records(genome.records);
  const GuideSearcher searcher(text, {.device = "cpu", .threads = 1});
  const std::vector<std::string> guides = genome.guides(20, 5, 12);
  const std::vector<std::string_view> views(guides.begin(), guides.end());
  const auto both = searcher.count(views);
  const auto forward = searcher.count(views, {.strands = Strands::forward});
  const auto reverse = searcher.count(views, {.strands = Strands::reverse});
  for (std::size_t i = 0; i < guides.size(); ++i) {
    for (std::size_t m = 0; m < both[i].counts.size(); ++m) {
      CHECK(forward[i].counts[m].forward == both[i].counts[m].forward);
      CHECK(forward[i].counts[m].reverse == 0);
      CHECK(reverse[i].counts[m].reverse == both[i].counts[m].reverse);
      CHECK(reverse[i].counts[m].forward == 0);
    }
  }
}

TEST_CASE("public: max_hits keeps the sites with the fewest mismatches, and the figures of all") {
  const Genome genome(922);
  const Text text = text_of_records(genome.records);
  const GuideOptions options{.mismatches = 4, .max_hits = 2, .score_table = some_table(10)};
  const std::vector<std::string> guides = genome.guides(5, 150, 10);
  std::vector<GuideSites> figures;
  const GuideSearcher searcher(text, {.device = "cpu"});
  const auto found = located(searcher, text, guides, options, &figures);
  for (std::size_t i = 0; i < guides.size(); ++i) {
    const std::vector<Site> all = sites_of(genome.records, guides[i], options);
    check_figures(figures[i], all, options);
    std::vector<Site> kept = all;
    std::stable_sort(kept.begin(), kept.end(), [](const Site& a, const Site& b) {
      return a.place.mismatches < b.place.mismatches;
    });
    kept.resize(std::min<std::size_t>(kept.size(), 2));
    std::sort(kept.begin(), kept.end(),
              [](const Site& a, const Site& b) { return a.place < b.place; });
    CHECK(same_sites(found[i], kept));
  }
}

TEST_CASE("public: MIT scores are those of guides of 20 bases before their PAM") {
  const std::string guide = "ACGTTGCAACGGTACCATGC";
  const std::vector<std::string> records = {guide + "TGGTTT" + guide.substr(0, 19) + "ATGGTTT" +
                                            guide.substr(0, 18) + "TATGG"};
  const Text text = text_of_records(records);
  const GuideSearcher searcher(text, {.device = "cpu"});
  std::vector<GuideSites> figures;
  const std::vector<std::string> guides = {guide, guide.substr(1), ""};
  const auto found = located(searcher, text, guides, {.mismatches = 2}, &figures);
  REQUIRE(found[0].size() == 3);
  CHECK(found[0][0].score == 100);
  CHECK(found[0][1].score == doctest::Approx(41.7));
  CHECK(found[0][1].letters == guide.substr(0, 19) + "aTGG");
  CHECK(found[0][2].score == doctest::Approx(0.6856).epsilon(1e-4));
  CHECK(figures[0].specificity.value() == doctest::Approx(70.2318).epsilon(1e-6));
  REQUIRE(found[1].size() == 3);
  CHECK(found[1][0].score == -1);
  CHECK_FALSE(figures[1].specificity.has_value());
  CHECK(figures[2].total() == 0);
  CHECK((figures[0].searched && figures[1].searched && !figures[2].searched));
  const std::vector<std::string_view> odd = {"ACGTTGCAACGXTACCATGC", "NNNNNNNNNNNNNNNNNNNN", "AC"};
  for (const GuideSites& sites : searcher.count(odd, {.mismatches = 2})) {
    CHECK_FALSE(sites.searched);
    CHECK_FALSE(sites.specificity.has_value());
  }
  const std::vector<std::string_view> rna = {"acguugcaacgguaccaugc"};
  CHECK(searcher.count(rna, {.pams = {"ugg"}})[0].total() == 3);
  const GuideSites none = searcher.count(rna, {.pams = {"agg"}})[0];
  CHECK(none.total() == 0);
  CHECK_FALSE(none.specificity.has_value());
  CHECK_FALSE(searcher.count(std::vector<std::string_view>{guide}, {.mit_scores = false})[0]
                  .specificity.has_value());
}

TEST_CASE("public: a table of scores is read from a file, and one that is wrong is refused") {
  const TemporaryFolder folder;
  const ScoreTable table =
      read_score_table(folder.write("t.tsv", "length\t3\n2\tA\tN\t0.5\npam\tNRG\t0.25\n"));
  CHECK(table.guide_length == 3);
  CHECK(table.weight(1, 0, 3) == 0.5);
  CHECK(table.weight(1, 0, 0) == 1);
  CHECK(table.weight(2, 0, 3) == 1);
  REQUIRE(table.pams.size() == 1);
  CHECK(table.pams[0].letters == "NRG");
  CHECK_THROWS_AS(read_score_table(folder.write("u.tsv", "length\t3\n4\tA\tC\t0.5\n")), InputError);
  CHECK_THROWS_AS(read_score_table(folder / "missing"), InputError);

  const Text text = text_of_records({"ACGTACGTTTGACCAGG"});
  const GuideSearcher searcher(text, {.device = "cpu"});
  const std::vector<std::string_view> guides = {"ACGTACGTTT"};
  const auto with = [&](const ScoreTable& given) {
    return [&searcher, &guides, given] { searcher.count(guides, {.score_table = given}); };
  };
  check_usage(with({}), "guides of 0 bases");
  check_usage(with({.guide_length = 10, .weights = {1}}), "1 weights; give 16 per position, 160");
  ScoreTable wrong = some_table(10);
  wrong.weights[7] = std::nan("");
  check_usage(with(wrong), "not a number from 0 to 1");
  wrong = some_table(10);
  wrong.pams = {{"N-G", 1}};
  check_usage(with(wrong), "'-' is no IUPAC code");
  wrong.pams = {{"GG", 1}};
  CHECK_THROWS_AS(with(wrong)(), InputError);
}

TEST_CASE("public: a search for guides refuses what cannot be asked") {
  const Text text = text_of_records({"ACGTACGTTTGACCAGG"});
  const GuideSearcher searcher(text, {.device = "cpu"});
  const std::vector<std::string_view> guides = {"ACG", "AC-TACGT", "", "NNNNNN", "ACGTTTGACC"};
  const std::vector<GuideSites> found = searcher.count(guides, {.mismatches = 3});
  REQUIRE(found.size() == 5);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(found[i].total() == 0);
  CHECK(found[4].total() == 1);
  CHECK(searcher.count({}).empty());
  check_usage([&] { searcher.count(guides, {.mismatches = 256}); }, "mismatches is 256");
  check_usage([&] { searcher.count(guides, {.pams = {}}); }, "there is no PAM");
  check_usage([&] { searcher.count(guides, {.pams = {""}}); }, "1 to 32 letters");
  check_usage([&] { searcher.count(guides, {.pams = {"NXG"}}); }, "'X' is no IUPAC code");
  check_usage([&] { searcher.count(guides, {.pams = {"NGG", "AG"}}); }, "is not as long as");
  check_usage([&] { searcher.count(guides, {.pams = {"NGG", "NRG"}}); }, "have sites in common");
  check_usage([&] { searcher.locate(guides, {}, {}); }, "sink is empty");
  check_usage([&] { searcher.site(Hit(10, false), "ACGTTTGACC"); }, "not one of a guide");
  CHECK_THROWS_AS(GuideSearcher(text, {.device = "cuda:99"}), DeviceError);
  const std::vector<Sequence> protein = {{"p", "MKVLAEWQ"}};
  const Index amino = build_index(make_text(protein), {.device = "cpu"});
  check_usage([&] { GuideSearcher searching(amino); }, "the index is of protein");
}

TEST_CASE("public: several threads may call one guide searcher, and a sink may end the work") {
  const Genome genome(923);
  const Index index = build_index(text_of_records(genome.records), {.device = "cpu"});
  const GuideOptions options{
      .pams = {"NGG", "NAG"}, .mismatches = 3, .score_table = some_table(10)};
  const std::vector<std::string> guides = genome.guides(5, 200, 10);
  const std::vector<std::string_view> views(guides.begin(), guides.end());
  std::vector<std::vector<Site>> all;
  for (const std::string& guide : guides)
    all.push_back(sites_of(genome.records, guide, options));
  GuideSearcher opened(index, {.device = "cpu", .threads = 2}, std::uint64_t{1} << 21);
  const GuideSearcher searcher = std::move(opened);
  std::atomic<int> right{0}, thrown{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      struct Enough {};
      std::vector<std::vector<Site>> found(guides.size());
      searcher.locate(views, options, [&](const ScoredHitChunk& chunk) {
        std::size_t hit = 0;
        for (std::size_t i = 0; i < chunk.patterns(); ++i) {
          for (; hit < chunk.ends[i]; ++hit) {
            found[chunk.first + i].push_back(
                {occurrence_of(index, chunk.hits[hit], 13),
                 searcher.site(chunk.hits[hit], guides[chunk.first + i], options),
                 chunk.scores[hit]});
          }
        }
      });
      right += std::equal(found.begin(), found.end(), all.begin(), same_sites) ? 1 : 0;
      try {
        searcher.locate(views, options, [](const ScoredHitChunk&) { throw Enough(); });
      } catch (const Enough&) {
        ++thrown;
      }
    });
  }
  for (std::thread& caller : callers)
    caller.join();
  CHECK(right == 3);
  CHECK(thrown == 3);
}
