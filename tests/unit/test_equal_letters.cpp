// Letters that count as one another, compared with a search for all spellings.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/registry.hpp"
#include "gsx/index.hpp"
#include "run/patterns.hpp"
#include "search/exact/equal_searcher.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/equal_letters.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::string_view amino_acids = "ACDEFGHIKLMNPQRSTVWY";

/// Whether two letters are one.
bool are_equal(const std::vector<std::string>& groups, char a, char b) {
  return a == b || std::ranges::any_of(groups, [&](const std::string& group) {
           return group.find(a) != group.npos && group.find(b) != group.npos;
         });
}

struct Found {
  std::vector<std::uint64_t> totals;
  std::vector<std::vector<std::uint64_t>> positions;
  bool operator==(const Found&) const = default;
};

/// Where patterns begin in a text of one segment per record, each with a separator behind it.
Found naive(const std::vector<std::string>& records, const std::vector<std::string>& patterns,
            const std::vector<std::string>& groups) {
  Found found;
  for (const std::string& pattern : patterns) {
    found.positions.emplace_back();
    std::uint64_t start = 0;
    for (const std::string& record : records) {
      for (std::size_t p = 0; p + pattern.size() <= record.size() && !pattern.empty(); ++p) {
        const bool equal = std::equal(pattern.begin(), pattern.end(),
                                      record.begin() + static_cast<std::ptrdiff_t>(p),
                                      [&](char a, char b) { return are_equal(groups, a, b); });
        if (equal) found.positions.back().push_back(start + p);
      }
      if (!record.empty()) start += record.size() + 1;
    }
    found.totals.push_back(found.positions.back().size());
  }
  return found;
}

Found located(const Searcher& searcher, const Patterns& patterns, std::uint64_t most_held,
              std::uint64_t max_hits = unlimited) {
  Found found;
  searcher.stream(patterns, {Strands::both, max_hits}, [&](const HitChunk& chunk) {
    CHECK(chunk.hits.size() <= most_held);
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      if (i > 0 || chunk.before == 0) {
        found.positions.emplace_back();
        found.totals.push_back(chunk.counts[i].total());
      }
      REQUIRE(found.positions.size() == chunk.first + i + 1);
      CHECK(found.positions.back().size() == (i == 0 ? chunk.before : 0));
      for (std::uint64_t at = i == 0 ? 0 : chunk.ends[i - 1]; at < chunk.ends[i]; ++at)
        found.positions.back().push_back(chunk.hits[at].position());
    }
  });
  return found;
}

}  // namespace

TEST_CASE("equal letters are found as one, and as a search for all spellings finds them") {
  Random random(run_seed());
  for (const std::string_view letters :
       {amino_acids, std::string_view("ILK"), std::string_view("L"), std::string_view("KLM")}) {
    const std::vector<std::string> records = {random_string(random, 300, letters), "",
                                              random_string(random, 70, letters),
                                              std::string(40, letters.back())};
    const Index index = build_index(make_text(records, SymbolPolicy::protein));
    for (const char* text : {"IL", "il,KM", "LMIK"}) {
      CAPTURE(text);
      const EqualLetters equal(text);
      std::vector<std::string> groups = {"IL"};
      if (std::string_view(text) == "il,KM") groups = {"IL", "KM"};
      if (std::string_view(text) == "LMIK") groups = {"ILKM"};
      std::vector<std::string> patterns = {"", "I", "L", "ILILILILILILILILILILIL", "KLM", "LLLLX"};
      for (int i = 0; i < 20; ++i) {
        const std::string& record = records[below(random, 2) * 2];
        const std::uint64_t begin = below(random, record.size() - 9);
        patterns.push_back(record.substr(begin, 1 + below(random, 9)));
        for (char& c : patterns.back())
          if (c == 'I' || c == 'L') c = "IL"[below(random, 2)];
      }
      std::vector<std::string_view> views(patterns.begin(), patterns.end());
      PatternBuffer buffer;
      const Alphabet alphabet = equal.applied_to(index.alphabet());
      buffer.encode(views, alphabet);
      const Found expected = naive(records, patterns, groups);
      for (const std::uint64_t most : {std::uint64_t{5}, std::uint64_t{1} << 20}) {
        const EqualSearcher searcher(index, equal.classes(index.alphabet(), index.alphabet()),
                                     {.hits_at_once = most}, best_cpu_path());
        CHECK(located(searcher, buffer.patterns(), most) == expected);
        std::vector<StrandCounts> counts;
        searcher.count(buffer.patterns(), Strands::both, counts);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
          CHECK(counts[i].forward == expected.totals[i]);
          CHECK(counts[i].reverse == 0);
        }
        // Of the hits, as many as asked for, which are among all.
        const Found some = located(searcher, buffer.patterns(), most, 3);
        CHECK(some.totals == expected.totals);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
          CHECK(some.positions[i].size() == std::min<std::uint64_t>(3, expected.totals[i]));
          CHECK(std::ranges::includes(expected.positions[i], some.positions[i]));
        }
      }
    }
  }
}

TEST_CASE("the first hits of equal letters in suffix order are those of the whole text") {
  const std::vector<std::string> records = {"AIKB", "ALKA", "ALKC", "AIKA", "KALKB"};
  const Index index = build_index(make_text(records, SymbolPolicy::protein));
  const EqualLetters equal("IL");
  PatternBuffer buffer;
  const std::string_view pattern = "ALK";
  buffer.encode({&pattern, 1}, equal.applied_to(index.alphabet()));
  const EqualSearcher searcher(index, equal.classes(index.alphabet(), index.alphabet()), {},
                               best_cpu_path());
  // AIKA (15), AIKB (0), ALKA (5), ALKB (21), ALKC (10)
  const std::vector<std::uint64_t> order = {15, 0, 5, 21, 10};
  for (std::uint64_t most = 1; most <= 5; ++most) {
    std::vector<std::uint64_t> expected(order.begin(),
                                        order.begin() + static_cast<std::ptrdiff_t>(most));
    std::ranges::sort(expected);
    CHECK(located(searcher, buffer.patterns(), 1 << 20, most).positions[0] == expected);
  }
}

TEST_CASE("groups of equal letters that make no sense are refused") {
  for (const char* groups : {"", "I", "IL,", ",IL", "IL,K", "I L", "ILI", "IL,LK", "I\tL"})
    CHECK_THROWS_AS(EqualLetters{groups}, UsageError);
  const Alphabet protein = Alphabet::of(SymbolPolicy::protein, "ACL");
  CHECK_THROWS_AS((void)EqualLetters("I1").applied_to(protein), UsageError);
  CHECK_THROWS_AS((void)EqualLetters("Ii").applied_to(protein), UsageError);
  CHECK_THROWS_AS((void)EqualLetters("IL,Kl").applied_to(protein), UsageError);
  CHECK(EqualLetters("IL,DN").applied_to(protein).symbols() == "ACIL");
  CHECK(EqualLetters("A*").applied_to(protein).symbols() == "*ACL");
  const Alphabet bytes = Alphabet::of(SymbolPolicy::bytes, "aL1");
  CHECK(EqualLetters("aA,1|").applied_to(bytes).symbols() == "1ALa|");
  CHECK(EqualLetters().applied_to(Alphabet::dna()).code('u') == 3);
}
