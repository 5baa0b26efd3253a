// The table of PAM sites: the same places as a comparison of every place with every guide.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "search/sites/site_lookup.hpp"
#include "search/sites/site_searcher.hpp"
#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Adds a guide with a PAM that must match after it, or before it.
void add_guide(SetPatternBuffer& patterns, const std::string& guide, const std::string& pam,
               bool pam_first = false) {
  std::vector<BaseSet> sets;
  const auto add = [&](const std::string& letters, BaseSet mark) {
    for (const char letter : letters)
      sets.push_back(static_cast<BaseSet>(iupac_base_set(letter) | mark));
  };
  if (pam_first) add(pam, base_sets::must_match);
  add(guide, 0);
  if (!pam_first) add(pam, base_sets::must_match);
  patterns.add(sets);
}

/// Answers nothing: shows that all patterns were looked up in a table.
class NoSearcher final : public MismatchSearcher {
 public:
  void count(const SetPatterns&, const MismatchRequest&, MismatchCounts&) const override {
    FAIL("a pattern was not looked up");
  }
  void stream(const SetPatterns&, const MismatchRequest&, const HitSink&) const override {
    FAIL("a pattern was not looked up");
  }
};

std::unique_ptr<MismatchSearcher> plain(const Text& text, const SearchMemory& memory = {}) {
  return std::make_unique<PlainMismatchSearcher>(text.view(), memory);
}

struct Found {
  std::vector<std::vector<Hit>> hits;
  std::vector<std::uint64_t> totals;
  bool operator==(const Found&) const = default;
};

Found find_all(const MismatchSearcher& searcher, const SetPatterns& patterns,
               const MismatchRequest& request, std::uint64_t at_once = unlimited) {
  Found found;
  searcher.stream(patterns, request, [&](const HitChunk& chunk) {
    CHECK(chunk.hits.size() <= at_once);
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      if (found.hits.size() <= pattern) {
        REQUIRE(found.hits.size() == pattern);
        found.hits.emplace_back();
        found.totals.push_back(chunk.counts[i].total());
      }
      if (i == 0) CHECK(found.hits[pattern].size() == chunk.before);
      const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
      const auto hits = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      found.hits[pattern].insert(found.hits[pattern].end(), hits.begin(), hits.end());
    }
  });
  return found;
}

/// The hits of each pattern, in output order, that stream_unordered() gives.
std::vector<std::vector<Hit>> find_unordered(const MismatchSearcher& searcher,
                                             const SetPatterns& patterns,
                                             const MismatchRequest& request,
                                             std::uint64_t at_once = unlimited) {
  std::vector<std::vector<Hit>> found(patterns.size());
  searcher.stream_unordered(patterns, request, [&](const HitChunk& chunk) {
    CHECK(chunk.hits.size() <= at_once);
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const auto hits = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      CHECK(std::is_sorted(hits.begin(), hits.end()));
      std::vector<Hit>& of_pattern = found[chunk.first + i];
      of_pattern.insert(of_pattern.end(), hits.begin(), hits.end());
      begin = chunk.ends[i];
    }
    CHECK(begin == chunk.hits.size());
  });
  for (std::vector<Hit>& hits : found)
    std::sort(hits.begin(), hits.end());
  return found;
}

void check_counts(const MismatchSearcher& searcher, const MismatchCounts& expected,
                  const SetPatterns& patterns, const MismatchRequest& request) {
  MismatchCounts counts;
  searcher.count(patterns, request, counts);
  REQUIRE(counts.patterns() == expected.patterns());
  for (std::size_t i = 0; i < counts.patterns(); ++i) {
    for (const bool reverse : {false, true}) {
      for (std::uint32_t m = 0; m <= request.mismatches; ++m)
        CHECK(counts.of(i, reverse)[m] == expected.of(i, reverse)[m]);
    }
  }
}

/// Compares counts and hits with those of the plain searcher.
void check_same(const Text& text, const SetPatternBuffer& patterns, std::uint32_t mismatches,
                std::uint64_t table_bytes = unlimited, bool all_looked_up = true) {
  const PlainMismatchSearcher truth(text.view());
  for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
    const MismatchRequest request{strands, mismatches};
    MismatchCounts counts;
    truth.count(patterns.patterns(), request, counts);
    const Found hits = find_all(truth, patterns.patterns(), request);
    for (const CpuPath path : {CpuPath::baseline, best_cpu_path()}) {
      std::unique_ptr<MismatchSearcher> other = plain(text);
      if (all_looked_up) other = std::make_unique<NoSearcher>();
      const SiteSearcher searcher(text.view(), std::move(other), 2, {}, table_bytes, path, 1);
      check_counts(searcher, counts, patterns.patterns(), request);
      CHECK(find_all(searcher, patterns.patterns(), request) == hits);
    }
  }
}

std::string random_bases(Random& random, std::uint64_t length, const char* of = "ACGT") {
  return random_string(random, length, of);
}

/// Guides that occur in the text, with changes, and some that hardly do.
SetPatternBuffer random_guides(Random& random, const std::string& text, std::uint64_t length,
                               const std::string& pam, bool pam_first, int count) {
  SetPatternBuffer guides;
  for (int i = 0; i < count; ++i) {
    std::string guide = random_bases(random, length);
    if (text.size() > length && below(random, 4) != 0)
      guide = text.substr(below(random, text.size() - length), length);
    for (char& base : guide)
      if (base == 'N' || below(random, 12) == 0) base = "ACGT"[below(random, 4)];
    add_guide(guides, guide, pam, pam_first);
  }
  return guides;
}

}  // namespace

TEST_CASE("the shape of a pattern is a guide of bases and a PAM that must match at one end") {
  SetPatternBuffer patterns;
  add_guide(patterns, "ACGTACGT", "NGG");
  add_guide(patterns, "ACGT", "TTTV", true);
  add_guide(patterns, "ACGR", "NGG");              // not single bases
  add_guide(patterns, "ACGT", "");                 // no PAM
  add_guide(patterns, "A", "NGG");                 // too short
  add_guide(patterns, std::string(29, 'A'), "N");  // too long
  patterns.add(std::vector<BaseSet>{16 | 1, 1, 2, 16 | 4});
  patterns.add(std::vector<BaseSet>{1, 16 | 1, 2, 16 | 4});
  const SetPatterns all = patterns.patterns();
  const auto first = site_shape_of(all[0]);
  REQUIRE(first);
  CHECK(first->guide == 8);
  CHECK_FALSE(first->pam_first);
  CHECK(first->pam == std::vector<BaseSet>{15, 4, 4});
  CHECK(guide_key(all[0], *first) == 0b0001101100011011);
  const auto second = site_shape_of(all[1]);
  REQUIRE(second);
  CHECK(second->pam_first);
  CHECK(second->length() == 8);
  CHECK(second->guide_offset(false) == 4);
  CHECK(second->guide_offset(true) == 0);
  for (std::size_t i = 2; i < all.size(); ++i)
    CHECK_FALSE(site_shape_of(all[i]));
}

TEST_CASE("bases of a window are told apart, and its reverse complement is right") {
  const std::uint64_t window = 0b0001101100011011ull << 48;
  CHECK((bases_in(window, 1) >> 48) == 0b0100000001000000);
  CHECK((bases_in(window, 2 | 8) >> 48) == 0b0001000100010001);
  CHECK(bases_in(window, 0) == 0);
  CHECK(bases_in(window, 15) == 0x5555555555555555);
  CHECK(reverse_complement_of(0b000110, 3) == 0b011011);  // ACG, CGT
}

TEST_CASE("neighbours are all sequences with few changes, each once") {
  for (const std::uint32_t most : {0u, 1u, 2u, 4u, 6u}) {
    const Neighbours neighbours(4, most);
    std::vector<int> seen(256, 0);
    for (const std::uint32_t one : neighbours.all()) {
      const std::uint32_t mask = Neighbours::mask(one);
      std::uint32_t changed = 0;
      for (std::uint32_t i = 0; i < 8; i += 2)
        changed += (mask >> i & 3) != 0 ? 1 : 0;
      CHECK(Neighbours::mismatches(one) == changed);
      CHECK(changed <= most);
      ++seen[mask];
    }
    std::size_t expected = 0, ways = 1;
    for (std::uint32_t changed = 0; changed <= std::min(most, 4u); ++changed) {
      expected += ways;
      ways = ways * 3 * (4 - changed) / (changed + 1);
    }
    CHECK(neighbours.all().size() == expected);
    CHECK(*std::ranges::max_element(seen) == 1);
  }
}

TEST_CASE("sites at the first and the last base of a record, on both strands") {
  const std::string guide = "ACGTTGCAAC";
  const std::string site = guide + "TGG", other = "CCA" + std::string("GTTGCAACGT");
  const Text text =
      text_of_records({site, other, site + other, "", site.substr(1), other.substr(0, 12),
                       "N" + site + "N" + other + "N", "GG", guide + "N" + "GG"});
  SetPatternBuffer patterns;
  add_guide(patterns, guide, "NGG");
  add_guide(patterns, guide, "NGG");  // twice
  add_guide(patterns, "GTTGCAACGT", "NGG");
  const SiteSearcher searcher(text.view(), std::make_unique<NoSearcher>(), 1, {}, unlimited,
                              best_cpu_path(), 1);
  const Found found = find_all(searcher, patterns.patterns(), {Strands::both, 0});
  CHECK(found.hits[0].size() == 6);
  CHECK(found.hits[0].front() == Hit(0, false));
  CHECK(found.hits[0] == found.hits[1]);
  for (std::uint32_t k = 0; k <= 4; ++k)
    check_same(text, patterns, k);
}

TEST_CASE("guides that are their own reverse complement, and overlapping sites") {
  const Text text = text_of_records(
      {"CCGGGAATTCCCGGG", std::string(100, 'G') + std::string(100, 'C'), "CCACGTACGTGG"});
  SetPatternBuffer patterns;
  add_guide(patterns, "GGAATTCC", "NGG");
  add_guide(patterns, "GGGGGGGG", "NGG");
  add_guide(patterns, "CCCCCCCC", "NGG");
  add_guide(patterns, "ACGTACGT", "NGG");
  for (std::uint32_t k = 0; k <= 7; ++k)
    check_same(text, patterns, k);
}

TEST_CASE("a table finds what a comparison of all places finds, for any PAM, length and k") {
  Random random(16);
  const struct {
    const char* pam;
    bool first;
  } pams[] = {{"NGG", false}, {"NRN", false},      {"NNGRRT", false}, {"TTTV", true},
              {"N", true},    {"NNNNGATT", false}, {"ACGTACGT", true}};
  for (int round = 0; round < rounds(60); ++round) {
    std::vector<std::string> records;
    std::string all;
    for (std::uint64_t r = 0, n = 1 + below(random, 4); r < n; ++r) {
      std::string record =
          random_bases(random, below(random, 600), round % 3 == 0 ? "ACGTGGN" : "ACGGT");
      if (below(random, 3) == 0) record += record;
      all += record;
      records.push_back(record);
    }
    records.push_back("ACGT");
    const auto& [pam, first] = pams[below(random, 7)];
    const std::uint64_t length = 2 + below(random, 27);
    CAPTURE(round);
    CAPTURE(pam);
    CAPTURE(length);
    const Text text = text_of_records(records);
    const SetPatternBuffer guides = random_guides(random, all, length, pam, first, 6);
    const auto k = static_cast<std::uint32_t>(below(random, round % 10 == 0 ? 10 : 6));
    check_same(text, guides, k, unlimited, length > k);
  }
}

TEST_CASE("parts of the text give what the whole gives") {
  Random random(17);
  // Slices have 2^18 places: several of them, with sites across their borders.
  std::string record = random_bases(random, thinned() ? 270000 : 700000);
  const std::string site = "ACGTTGCAACGGTACCATGCTGG";
  for (const std::uint64_t border : {1u << 18, 1u << 19}) {
    if (border > record.size()) continue;
    for (std::uint64_t shift = 0; shift < 30; ++shift)
      record.replace(border - 15 + shift - 30 * (shift % 2), 23, site);
  }
  const Text text = text_of_records({record, site});
  SetPatternBuffer guides;
  add_guide(guides, site.substr(0, 20), "NGG");
  add_guide(guides, record.substr(5, 20), "NGG");
  const std::uint64_t small = SiteTable::bytes_to_build(60000, 20);
  check_same(text, guides, 3);
  check_same(text, guides, 3, small);
  // So few hits at a time that some no longer fit in a later part.
  for (int i = 0; i < 10; ++i)
    add_guide(guides, random_bases(random, 5) + "CCGG" + random_bases(random, 2), "NGG");
  const PlainMismatchSearcher truth(text.view());
  const Found expected = find_all(truth, guides.patterns(), {Strands::both, 5});
  for (const std::uint64_t at_once : thinned(std::vector{2000u, 8000u, 40000u})) {
    const SiteSearcher searcher(text.view(), plain(text), 2, {.hits_at_once = at_once}, small,
                                best_cpu_path(), 1);
    CHECK(find_all(searcher, guides.patterns(), {Strands::both, 5}, at_once * 10) == expected);
  }
  // In any order, each part is made once, and no hit is left out.
  for (const Strands strands :
       thinned(std::vector{Strands::both, Strands::forward, Strands::reverse})) {
    const auto hits = find_all(truth, guides.patterns(), {strands, 5}).hits;
    for (const std::uint64_t at_once : thinned(std::vector{1u, 100u, 40000u})) {
      for (const std::uint64_t bytes : {small, unlimited}) {
        const SiteSearcher searcher(text.view(), std::make_unique<NoSearcher>(), 2,
                                    {.hits_at_once = at_once}, bytes, best_cpu_path(), 1);
        CHECK(find_unordered(searcher, guides.patterns(), {strands, 5, 3}, at_once) == hits);
      }
    }
  }
  // So little memory that no part has a table.
  if (!thinned()) check_same(text, guides, 3, 1000, false);
}

TEST_CASE("patterns without a table go to the other searcher, and the order stays") {
  Random random(18);
  const std::string record = random_bases(random, 3000, "ACGTGG");
  const Text text = text_of_records({record});
  SetPatternBuffer patterns;
  add_guide(patterns, record.substr(10, 12), "NGG");
  add_guide(patterns, "ACGTNNACGTAC", "NGG");
  add_guide(patterns, record.substr(20, 10), "NGG");
  patterns.add("", true);
  add_guide(patterns, record.substr(30, 12), "NAG");
  add_guide(patterns, record.substr(40, 12), "NGG");
  patterns.add("ACG", true);
  check_same(text, patterns, 4, unlimited, false);
  check_same(text, patterns, 12, unlimited, false);
  check_same(text, SetPatternBuffer(), 2);
  check_same(text_of_records({"A"}), patterns, 2, unlimited, false);
}

TEST_CASE("patterns of several tables may come in any order") {
  Random random(22);
  const std::string record = random_bases(random, thinned() ? 60000 : 600000, "ACGTGG");
  const Text text = text_of_records({record});
  SetPatternBuffer patterns;
  for (std::uint64_t i = 0; i < 12; ++i) {
    add_guide(patterns, record.substr(1000 * i, 12 + i % 2), i % 3 == 0 ? "NAG" : "NGG");
    if (i % 4 == 3) add_guide(patterns, "ACGTNNACGTAC", "NGG");  // this has no table
    if (i == 5) patterns.add("", true);
  }
  check_same(text, patterns, 3, SiteTable::bytes_to_build(30000, 12), false);
  const MismatchRequest request{Strands::both, 3};
  const Found expected = find_all(PlainMismatchSearcher(text.view()), patterns.patterns(), request);
  for (const std::uint64_t at_once : {50u, 4000u}) {
    for (const std::uint64_t bytes : {SiteTable::bytes_to_build(30000, 12), unlimited}) {
      const SearchMemory memory{.hits_at_once = at_once};
      const SiteSearcher searcher(text.view(), plain(text, memory), 2, memory, bytes,
                                  best_cpu_path(), 1);
      CHECK(find_unordered(searcher, patterns.patterns(), request) == expected.hits);
      CHECK(find_all(searcher, patterns.patterns(), request) == expected);
    }
  }
}

TEST_CASE("few hits are held at a time, and the cap keeps those with the fewest mismatches") {
  Random random(19);
  std::string record;
  for (int i = 0; i < 400; ++i)
    record += "ACGTTGCAACGG" + random_bases(random, 3) + (i % 7 == 0 ? "AGG" : "TGG");
  const Text text = text_of_records({record});
  SetPatternBuffer guides;
  for (int i = 0; i < 30; ++i)
    add_guide(guides, i % 3 == 0 ? "CAACGGTTTTGG" : random_bases(random, 12), "NGG");
  const PlainMismatchSearcher truth(text.view());
  for (const std::uint64_t at_once : {1u, 10u, 100u, 1000u, 100000u}) {
    const SiteSearcher searcher(text.view(), plain(text, {.hits_at_once = at_once}), 2,
                                {.hits_at_once = at_once}, unlimited, best_cpu_path(), 1);
    for (const std::uint64_t most : {unlimited, std::uint64_t{0}, std::uint64_t{7}}) {
      const MismatchRequest request{Strands::both, 5, most};
      CHECK(find_all(searcher, guides.patterns(), request, at_once) ==
            find_all(truth, guides.patterns(), request));
    }
  }
}

TEST_CASE("several threads search at once") {
  Random random(20);
  const std::string record = random_bases(random, 20000);
  const Text text = text_of_records({record});
  const PlainMismatchSearcher truth(text.view());
  for (const std::uint64_t bytes : {unlimited, SiteTable::bytes_to_build(3000, 12)}) {
    const SiteSearcher searcher(text.view(), plain(text), 3, {}, bytes, best_cpu_path(), 1);
    std::vector<std::thread> threads;
    std::vector<int> same(4, 0);
    std::vector<SetPatternBuffer> guides;
    for (int t = 0; t < 4; ++t)
      guides.push_back(random_guides(random, record, 12, t % 2 == 0 ? "NGG" : "NAG", false, 20));
    for (std::size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        MismatchCounts counts, expected;
        searcher.count(guides[t].patterns(), {Strands::both, 4}, counts);
        truth.count(guides[t].patterns(), {Strands::both, 4}, expected);
        same[t] = 1;
        for (std::size_t i = 0; i < counts.patterns(); ++i)
          if (counts.total(i).total() != expected.total(i).total()) same[t] = 0;
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    CHECK(same == std::vector<int>{1, 1, 1, 1});
  }
}
