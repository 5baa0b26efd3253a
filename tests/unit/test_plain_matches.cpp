// What counts as a maximal match, a matching statistic, a pair, and as unique.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/match_cases.hpp"
#include "support/plain_matches.hpp"
#include "support/scan.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Plain {
  explicit Plain(const std::vector<std::string>& records)
      : text(text_of_records(records)), matches(text.view(), true) {}

  std::vector<MaximalMatch> maximal(std::string_view query, std::uint64_t least,
                                    Strands strands = Strands::both) const {
    return matches.maximal_matches(codes_of(query), {strands, least});
  }
  std::vector<MatchPair> pairs(std::string_view query, const PairRequest& request) const {
    return matches.pairs(codes_of(query), request);
  }
  Text text;
  PlainMatches matches;
};

using Lengths = std::vector<std::uint64_t>;
using Matches = std::vector<MaximalMatch>;
using Pairs = std::vector<MatchPair>;

}  // namespace

TEST_CASE("a maximal match lies in no longer one, of either strand") {
  const Plain plain({"ACGTTGCA", "GGGG"});
  CHECK(plain.maximal("ACGTTGCA", 1) == Matches{{0, 8, {1, 0}}});
  CHECK(plain.maximal("TGCAACGT", 1) == Matches{{0, 8, {0, 1}}});
  // A query that goes through two records has a match in each; nothing crosses their border.
  CHECK(plain.maximal("TTGCAGGGG", 4) == Matches{{0, 5, {1, 0}}, {5, 4, {1, 0}}});
  // A string that is its own reverse complement counts on both strands.
  CHECK(plain.maximal("NACGTN", 2) == Matches{{1, 4, {1, 1}}});
  CHECK(plain.maximal("NACGTN", 2, Strands::forward) == Matches{{1, 4, {1, 0}}});
  CHECK(plain.maximal("NACGTN", 5).empty());
  CHECK(plain.maximal("CCCCC", 1) == Matches{{0, 4, {0, 1}}, {1, 4, {0, 1}}});
  CHECK(plain.maximal("CCCCC", 3, Strands::forward).empty());
  CHECK(plain.maximal("", 1).empty());
  CHECK(plain.maximal("NNN", 1).empty());
}

TEST_CASE("an unknown base of the text or of the query matches nothing") {
  const Plain plain({"NACGTTGCAN"});
  CHECK(plain.maximal("NACGTTGCAN", 1) == Matches{{1, 8, {1, 0}}});
  CHECK(plain.maximal("ACGNTGCA", 3) == Matches{{0, 3, {1, 1}}, {4, 4, {1, 1}}});
}

TEST_CASE("matching statistics are the longest matches at each position") {
  const Plain plain({"ACGTTGCA"});
  CHECK(plain.matches.lengths(codes_of("GTTGNACGA"), Strands::forward) ==
        Lengths{4, 3, 2, 1, 0, 3, 2, 1, 1});
  CHECK(plain.matches.lengths_ending(codes_of("GTTGNACGA"), Strands::forward) ==
        Lengths{1, 2, 3, 4, 0, 1, 2, 3, 1});
  CHECK(plain.matches.lengths(codes_of("CAAC"), Strands::forward) == Lengths{2, 1, 2, 1});
  CHECK(plain.matches.lengths(codes_of("CAAC"), Strands::reverse) == Lengths{4, 3, 2, 1});
  CHECK(plain.matches.lengths(codes_of("CAAC"), Strands::both) == Lengths{4, 3, 2, 1});
}

TEST_CASE("a pair cannot be extended, and its query is that which was given") {
  const Plain plain({"ACGTTGCA"});
  CHECK(plain.pairs("TTGC", {Strands::forward, 3}) == Pairs{{3, false, 0, 4}});
  CHECK(plain.pairs("CGCAA", {Strands::both, 3}) ==
        Pairs{{3, true, 1, 4}, {5, false, 1, 3}});  // GCAA is the reverse complement of TTGC
  // TTGCA, and its reverse complement TGCAA, which shares TGCA with it.
  CHECK(plain.pairs("AATTGCAA", {Strands::both, 5}) == Pairs{{3, false, 2, 5}, {3, true, 3, 5}});
  CHECK(plain.pairs("ACG", {Strands::forward, 2}) == Pairs{{0, false, 0, 3}});
  CHECK(plain.pairs("ACNGT", {Strands::forward, 2}) == Pairs{{0, false, 0, 2}, {2, false, 3, 2}});
}

TEST_CASE("a pair is unique in the text, in the query too, or on both strands") {
  const Plain plain({"ACGTACCCCC", "GGGGT"});
  const auto number = [&](std::string_view query, PairUniqueness unique, Strands strands) {
    return plain.pairs(query, {strands, 3, unique}).size();
  };
  using enum PairUniqueness;
  CHECK(number("GTACC", none, Strands::forward) == 1);
  CHECK(number("GTACC", target, Strands::forward) == 1);
  CHECK(number("GTACCNGTACC", target, Strands::forward) == 2);
  CHECK(number("GTACCNGTACC", both, Strands::forward) == 0);
  CHECK(number("CCCC", none, Strands::forward) == 4);
  CHECK(number("CCCC", target, Strands::forward) == 0);
  // ACCCC occurs once forward, and once as GGGGT.
  CHECK(number("ACCCC", both, Strands::forward) == 1);
  CHECK(number("ACCCC", both_strands, Strands::forward) == 0);
  CHECK(number("TACCCC", both_strands, Strands::forward) == 1);
  CHECK(number("TACCCCNGGGGTA", both, Strands::forward) == 3);  // with GTA
  CHECK(number("TACCCCNGGGGTA", both_strands, Strands::forward) == 0);
}

TEST_CASE("symbols of any alphabet match on one strand") {
  std::string symbols;
  for (int byte = 0; byte < 255; ++byte)
    symbols += static_cast<char>(byte);
  const Alphabet alphabet = Alphabet::of(SymbolPolicy::bytes, symbols);
  const Text text = gsx::testing::make_text({symbols}, SymbolPolicy::bytes);
  const PlainMatches matches(text.view(), false);
  const std::string last = symbols.substr(200);
  CHECK(matches.maximal_matches(codes_of(last + '\xff', alphabet), {}) == Matches{{0, 55, {1, 0}}});
}
