// Searching with mismatches: what counts as a place, and which places are kept.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/plain_mismatches.hpp"
#include "support/scan.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

SetPatternBuffer patterns_of(const std::vector<std::string_view>& letters, bool iupac) {
  SetPatternBuffer buffer;
  for (const std::string_view pattern : letters)
    buffer.add(pattern, iupac);
  return buffer;
}

/// The hits of one pattern.
std::vector<Hit> places_of(const Text& text, const SetPatternBuffer& pattern,
                           const MismatchRequest& request, std::uint64_t at_once = 1000) {
  const PlainMismatchSearcher searcher(text.view(), {.hits_at_once = at_once});
  std::vector<Hit> hits;
  searcher.stream(pattern.patterns(), request, [&](const HitChunk& chunk) {
    CHECK(chunk.before == hits.size());
    CHECK(chunk.hits.size() <= at_once);
    hits.insert(hits.end(), chunk.hits.begin(), chunk.hits.end());
  });
  return hits;
}

}  // namespace

TEST_CASE("letters are sets of bases") {
  CHECK(iupac_base_set('A') == 1);
  CHECK(iupac_base_set('u') == iupac_base_set('T'));
  CHECK(iupac_base_set('N') == base_sets::any);
  CHECK(iupac_base_set('r') == (iupac_base_set('A') | iupac_base_set('G')));
  CHECK(iupac_base_set('-') == base_sets::none);
  CHECK(plain_base_set('c') == 2);
  CHECK(plain_base_set('N') == base_sets::none);
  CHECK(plain_base_set('\xff') == base_sets::none);
  const std::string letters = "ACGTMRWSYKVHDBN", others = "TGCAKYWSRMBDHVN";
  for (std::size_t i = 0; i < letters.size(); ++i)
    CHECK(complement_of(iupac_base_set(letters[i])) == iupac_base_set(others[i]));
  CHECK(complement_of(1 | base_sets::must_match) == (8 | base_sets::must_match));
}

TEST_CASE("a place has at most k mismatches and stays inside its segment") {
  const Text text = text_of_records({"ACGTACGA", "ACGNACGT", ""});
  // ACGTACGA $ ACG $ ACGT $ $: positions 0, 9, 13
  const SetPatternBuffer acgt = patterns_of({"ACGT"}, false);
  CHECK(places_of(text, acgt, {Strands::forward, 0}) == std::vector<Hit>{{0, false}, {13, false}});
  CHECK(places_of(text, acgt, {Strands::both, 1}) ==
        std::vector<Hit>{
            {0, false}, {0, true}, {4, false, 1}, {4, true, 1}, {13, false}, {13, true}});
  CHECK(places_of(text, acgt, {Strands::both, 1}, 1).size() == 6);
  CHECK(places_of(text, acgt, {Strands::reverse, 0}) == std::vector<Hit>{{0, true}, {13, true}});
  // A letter that is no base is a mismatch, and as an IUPAC code a set.
  CHECK(places_of(text, patterns_of({"ACGN"}, false), {Strands::forward, 0}).empty());
  CHECK(places_of(text, patterns_of({"ACGN"}, false), {Strands::forward, 1}).size() == 3);
  CHECK(places_of(text, patterns_of({"ACGW"}, true), {Strands::forward, 0}).size() == 3);
  // Where it must match, a mismatch rules the place out.
  SetPatternBuffer strict;
  strict.add(std::vector<BaseSet>{1, 2, 4, 8 | base_sets::must_match});
  CHECK(places_of(text, strict, {Strands::forward, 1}).size() == 2);
  // Nothing that would match nearly everywhere.
  CHECK(places_of(text, acgt, {Strands::both, 4}).empty());
  CHECK(places_of(text, patterns_of({"NN"}, true), {Strands::both, 0}).empty());
  CHECK(places_of(text, patterns_of({""}, true), {Strands::both, 0}).empty());
}

TEST_CASE("the places with the fewest mismatches are kept, the first among equal ones") {
  const std::vector<Hit> all{
      {3, false, 1}, {5, false, 0}, {5, true, 2}, {8, true, 1}, {9, false, 0}};
  const auto kept = [&](std::uint64_t most) {
    std::vector<Hit> hits = all;
    keep_fewest_mismatches(hits, most);
    return hits;
  };
  CHECK(kept(0).empty());
  CHECK(kept(1) == std::vector<Hit>{all[1]});
  CHECK(kept(3) == std::vector<Hit>{all[0], all[1], all[4]});
  CHECK(kept(4) == std::vector<Hit>{all[0], all[1], all[3], all[4]});
  CHECK(kept(9) == all);
}

TEST_CASE("the cap keeps the same places, whole or in chunks") {
  const Text text = text_of_records({"ACGTACGAACCTACGTAAGT"});
  const SetPatternBuffer pattern = patterns_of({"ACGT"}, false);
  for (const std::uint64_t most : {0, 1, 2, 3, 5, 100}) {
    std::vector<Hit> expected = places_of(text, pattern, {Strands::both, 1});
    keep_fewest_mismatches(expected, most);
    CHECK(places_of(text, pattern, {Strands::both, 1, most}) == expected);
    CHECK(places_of(text, pattern, {Strands::both, 1, most}, 2) == expected);
  }
}

TEST_CASE("counts are by strand and by number of mismatches") {
  const Text text = text_of_records({"ACGTACGA", "ACGNACGT"});
  MismatchCounts counts;
  const SetPatternBuffer patterns = patterns_of({"ACGT", "TTTT"}, false);
  PlainMismatchSearcher(text.view()).count(patterns.patterns(), {Strands::both, 1}, counts);
  CHECK(counts.patterns() == 2);
  CHECK(counts.classes() == 2);
  CHECK(counts.at(0, 0) == 4);
  CHECK(counts.at(0, 1) == 2);
  CHECK(counts.total(0).forward == 3);
  CHECK(counts.total(1).total() == 0);
}
