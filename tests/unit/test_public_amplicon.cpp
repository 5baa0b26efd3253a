// Searching products of primers through the public header: what pairing the places of both primers
// finds, in an index and in a text, in chunks, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "gsx/error.hpp"
#include "gsx/primers.hpp"
#include "gsx/search.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

/// Every product, from the places of both primers; without a rule for their 3' ends.
std::vector<Amplicon> products_of(const Text& text, const PrimerPair& pair,
                                  const AmpliconOptions& options) {
  const MismatchOptions search{.mismatches = options.mismatches, .iupac = true};
  const std::vector<Occurrence> places[] = {
      locate_with_mismatches(text, pair.forward, search),
      pair.forward == pair.reverse ? std::vector<Occurrence>()
                                   : locate_with_mismatches(text, pair.reverse, search)};
  const std::pair<int, int> roles[] = {{0, 1}, {1, 0}, {0, 0}, {1, 1}};
  std::vector<Amplicon> found;
  for (std::size_t role = 0; role < 4; ++role) {
    const auto [first, last] = roles[role];
    for (const Occurrence& a : places[first]) {
      for (const Occurrence& b : places[last]) {
        if (a.reverse || !b.reverse || a.record != b.record || b.end < a.begin) continue;
        const std::uint64_t length = b.end - a.begin;
        if (length < options.least || length > options.most) continue;
        if (b.begin < a.begin || a.end > b.end) continue;
        const bool turned = role == 1;
        found.push_back({a.record, a.begin, b.end, static_cast<PrimerRoles>(role),
                         turned ? b.mismatches : a.mismatches,
                         turned ? a.mismatches : b.mismatches});
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// What a searcher gives, and checks that the chunks keep their rules.
std::vector<std::vector<Amplicon>> found_by(const AmpliconSearcher& searcher,
                                            const std::vector<PrimerPair>& pairs,
                                            const AmpliconOptions& options) {
  std::vector<std::vector<Amplicon>> found;
  std::vector<std::uint64_t> totals;
  searcher.find(pairs, options, [&](const AmpliconChunk& chunk) {
    if (chunk.pair == found.size()) {
      found.emplace_back();
      totals.push_back(chunk.total);
    }
    REQUIRE(chunk.pair + 1 == found.size());
    CHECK(chunk.before == found.back().size());
    CHECK(chunk.total == totals.back());
    CHECK(chunk.amplicons.size() <= 1 << 16);
    CHECK((chunk.before == 0 || !chunk.amplicons.empty()));
    found.back().insert(found.back().end(), chunk.amplicons.begin(), chunk.amplicons.end());
  });
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(found[i].size() == std::min(totals[i], options.max_products));
  return found;
}

std::string primer_of(Random& random, const std::string& record) {
  std::string primer = record.substr(below(random, record.size() - 9), 9);
  std::replace(primer.begin(), primer.end(), 'N', 'R');
  if (below(random, 2) == 0) return primer;
  std::reverse(primer.begin(), primer.end());
  for (char& base : primer)
    base = "TGCAYR"[std::string_view("ACGTRY").find(base)];
  return primer;
}

}  // namespace

TEST_CASE("products of primers are those of the places of both") {
  Random random(run_seed());
  for (int round = 0; round < 30; ++round) {
    CAPTURE(run_seed());
    CAPTURE(round);
    std::vector<std::string> records = {mutated_copies(random, 60, 8, 20, "ACGT"),
                                        random_string(random, 200, "ACGTN")};
    records.push_back(records[0].substr(100, 90));
    std::vector<Sequence> sequences;
    sequences.reserve(records.size());
    for (const std::string& record : records)
      sequences.push_back({.name = "r", .symbols = record});
    const Text text = make_text(sequences);
    const Index index = build_index(make_text(sequences));
    const AmpliconOptions options{.mismatches = static_cast<std::uint32_t>(below(random, 3)),
                                  .least = below(random, 60),
                                  .most = 60 + below(random, 300)};
    std::vector<PrimerPair> pairs;
    std::vector<std::vector<Amplicon>> expected;
    for (std::uint64_t n = below(random, 30); n > 0; --n) {
      const std::string forward = primer_of(random, records[below(random, 3)]);
      pairs.push_back(
          {"p", forward,
           below(random, 6) == 0 ? forward : primer_of(random, records[below(random, 3)])});
      expected.push_back(products_of(text, pairs.back(), options));
      CHECK(find_amplicons(text, pairs.back(), options) == expected.back());
      CHECK(find_amplicons(index, pairs.back(), options) == expected.back());
    }
    pairs.push_back({"bad", "AC!T", "ACGTACGT"});
    expected.emplace_back();
    for (const int threads : {1, 3}) {
      const SearchOptions search{.device = "cpu", .threads = threads};
      CHECK(found_by(AmpliconSearcher(text, search), pairs, options) == expected);
      CHECK(found_by(AmpliconSearcher(index, search), pairs, options) == expected);
    }
  }
}

TEST_CASE("a pair with very many products comes in several chunks, in order") {
  Random random(run_seed());
  std::string record;
  for (int i = 0; i < 700; ++i)
    record += "GATTACAC" + random_string(random, 3, "AG") + "CCTGTGAA";  // turned: TTCACAGG
  const Sequence one{.name = "one", .symbols = record};
  const Text text = make_text({&one, 1});
  const std::vector<PrimerPair> pairs = {{"a", "GATTACAC", "TTCACAGG"},
                                         {"none", "CCCCCCCC", "GGGGGGGG"},
                                         {"b", "GATTACAC", "TTCACAGG"}};
  const AmpliconOptions options{.least = 1, .most = 1 << 20};
  const auto found =
      found_by(AmpliconSearcher(text, {.device = "cpu", .threads = 3}), pairs, options);
  REQUIRE(found.size() == 3);
  CHECK(found[0].size() == 700 * 701 / 2);
  CHECK(std::is_sorted(found[0].begin(), found[0].end()));
  CHECK(found[1].empty());
  CHECK(found[2] == found[0]);
  AmpliconOptions few = options;
  few.max_products = 5;
  const auto some = found_by(AmpliconSearcher(text, {.device = "cpu"}), pairs, few);
  CHECK(std::equal(some[0].begin(), some[0].end(), found[0].begin()));
}

TEST_CASE("a rule for 3' ends rules out products") {
  const Sequence one{.name = "one", .symbols = "ACGTTGTTTTTTCCATAG"};
  const Text text = make_text({&one, 1});
  const auto found = [&](const char* forward, AmpliconOptions options) {
    options.least = 1;
    return find_amplicons(text, {"p", forward, "CTATGG"}, options).size();
  };
  CHECK(found("TCGTTG", {.mismatches = 1, .end_bases = 3}) == 1);
  CHECK(found("ACGTTC", {.mismatches = 1, .end_bases = 3}) == 0);
  CHECK(found("ACGTTC", {.mismatches = 1, .end_bases = 3, .end_mismatches = 1}) == 1);
  CHECK(found("ACGTTC", {.mismatches = 1}) == 1);
}

TEST_CASE("products that cannot be asked for are refused") {
  const Sequence one{.name = "one", .symbols = "ACGTTGTTTTTTCCATAG"};
  const Text text = make_text({&one, 1});
  const PrimerPair pair{"p", "ACGTTG", "CTATGG"};
  CHECK_THROWS_AS(find_amplicons(text, pair, {.mismatches = 256}), UsageError);
  CHECK_THROWS_AS(find_amplicons(text, pair, {.least = 9, .most = 8}), UsageError);
  CHECK_THROWS_AS(find_amplicons(text, {"p", "NNNNN", "CTATGG"}), UsageError);
  CHECK(why_not_asked({"p", "ACGT", "A-T"}, {}).value().starts_with("has a reverse primer that"));
  CHECK(!why_not_asked(pair, {}));
  const Sequence peptide{.name = "p", .symbols = "MKVLLAEEFQ"};
  const Text protein = make_text({&peptide, 1});
  CHECK_THROWS_AS(find_amplicons(protein, pair), UsageError);
  CHECK_THROWS_AS(AmpliconSearcher{protein}, UsageError);
  const AmpliconSearcher searcher(text, {.device = "cpu", .threads = 2});
  CHECK_THROWS_AS(searcher.find({&pair, 1}, {}, nullptr), UsageError);
  const auto throws = [](const AmpliconChunk&) { throw std::runtime_error("enough"); };
  CHECK_THROWS_WITH(searcher.find({&pair, 1}, {}, throws), "enough");
  searcher.find({}, {}, throws);  // no pairs, no chunks
  CHECK(searcher.device() == "cpu");
}
