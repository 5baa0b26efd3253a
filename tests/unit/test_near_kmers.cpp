// K-mers with mismatches, compared with looking at every two windows.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "analysis/mappability/frequencies.hpp"
#include "analysis/mappability/near_kmers.hpp"
#include "index/lcp/lcp_builder.hpp"
#include "index/sa/builder.hpp"
#include "support/naive_near_kmers.hpp"
#include "support/strands.hpp"
#include "support/thinning.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Way {
  std::uint64_t rows_at_once;
  int threads;
};

template <class Pos>
std::vector<std::vector<std::uint64_t>> counted(const TextStrands& strands,
                                                const std::vector<std::uint64_t>& lengths,
                                                const KmerMatching& matching, const Way& way) {
  const TextView text = strands.view.text;
  const SuffixArray sa = build_suffix_array(
      text, way.threads, sizeof(Pos) == 8 ? PositionWidth::wide : PositionWidth::automatic);
  const LcpArray lcps = build_lcp_array(text, sa, way.threads);
  FrequencyBuilder<Pos> exact(strands.view, lengths, way.threads, nullptr);
  const auto add = [&](auto& builder) {
    const std::span<const Pos> rows = sa.entries<Pos>();
    for (std::uint64_t row = 0; row < rows.size(); row += way.rows_at_once)
      builder.add(rows.data() + row, std::min(way.rows_at_once, rows.size() - row));
  };
  add(exact);
  const auto codes = exact.finish();
  NearKmerBuilder<Pos> near(strands.view, lengths, codes, matching, way.threads, lcps);
  add(near);
  near.finish();
  std::vector<std::vector<std::uint64_t>> all;
  for (const auto& of_k : codes) {
    all.emplace_back();
    for (std::uint64_t p = 0; p < of_k->size(); ++p)
      all.back().push_back((*of_k)[p]);
  }
  return all;
}

void check(const TextStrands& strands, const std::vector<std::uint64_t>& lengths,
           const KmerMatching& matching) {
  CAPTURE(matching.mismatches);
  CAPTURE(matching.cap);
  std::vector<std::vector<std::uint64_t>> expected;
  for (const std::uint64_t k : lengths)
    expected.push_back(naive_near_kmers(strands.view, k, matching));
  REQUIRE(counted<std::uint32_t>(strands, lengths, matching, {1000, 1}) == expected);
  REQUIRE(counted<std::uint32_t>(strands, lengths, matching, {7, 3}) == expected);
  REQUIRE(counted<std::uint64_t>(strands, lengths, matching, {50, 2}) == expected);
}

/// Near copies of one unit on both strands, and what stands between.
std::vector<std::string> near_copies(Random& random, std::string_view letters) {
  const std::string unit = random_string(random, 60, letters);
  std::vector<std::string> all(2);
  for (int copy = 0; copy < 6; ++copy) {
    std::string changed = unit;
    for (int i = 0; i < copy; ++i)
      changed[below(random, changed.size())] = letters[below(random, letters.size())];
    if (letters == "ACGT" && copy % 3 == 2) {
      std::reverse(changed.begin(), changed.end());
      for (char& c : changed)
        c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
    }
    all[copy % 2] += changed + random_string(random, below(random, 9), letters);
  }
  return all;
}

}  // namespace

TEST_CASE("k-mers with mismatches are those of looking at every two windows") {
  Random random(77);
  for (const int mismatches : {1, 2, 3, 4}) {
    for (const std::uint64_t cap : {~std::uint64_t{0}, std::uint64_t{3}}) {
      const KmerMatching matching{mismatches, cap};
      const std::vector<std::uint64_t> lengths = {5, 6, 12, 25, 40};
      check({near_copies(random, "ACGT"), true, SymbolPolicy::dna}, lengths, matching);
      check({near_copies(random, "ACGT"), false, SymbolPolicy::dna}, lengths, matching);
      check({near_copies(random, "ACDEFGHIKLMNPQRSTVWY"), false, SymbolPolicy::protein}, lengths,
            matching);
    }
  }
}

TEST_CASE("k-mers with mismatches in runs, periods and palindromes, and beside N") {
  Random random(78);
  std::string at, acg;
  for (int i = 0; i < 40; ++i) {
    at += "AT";
    acg += "ACG";
  }
  const std::string half = random_string(random, 40, "ACGT");
  std::string turned(half.rbegin(), half.rend());
  for (char& c : turned)
    c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  const std::vector<std::vector<std::string>> collections = {
      {std::string(150, 'A')},
      {std::string(60, 'A') + "C" + std::string(60, 'A'), std::string(50, 'T')},
      {at, acg, "ACGT"},
      {half + turned, half + "A" + turned},
      {half + "N" + half.substr(0, 20) + "NN" + half.substr(15), "", "N", "A"},
      {random_string(random, 200, "AT")}};
  for (const auto& sequences : collections) {
    CAPTURE(sequences.front());
    for (const bool both : {true, false}) {
      const TextStrands strands(sequences, both, SymbolPolicy::dna);
      for (const int mismatches : {1, 2})
        check(strands, {3, 8, 20, 36}, {mismatches, ~std::uint64_t{0}});
    }
  }
}

TEST_CASE("a place that a k-mer matches on both strands counts once, also with mismatches") {
  CHECK(counted<std::uint32_t>({{"ACGTTAACGA"}, true}, {10}, {2, 255}, {100, 1}) ==
        std::vector<std::vector<std::uint64_t>>{{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}});
  CHECK(counted<std::uint32_t>({{"ACAGT"}, true}, {5}, {1, 255}, {100, 1})[0][0] == 1);
  Random random(80);
  for (const int mismatches : {1, 2, 3, 4}) {
    for (const std::uint64_t cap : {~std::uint64_t{0}, std::uint64_t{4}}) {
      for (const std::uint64_t half : {5, 12, 40}) {
        const TextStrands strands(near_palindromes(random, half, half == 40 ? 3 : 9), true);
        const std::uint64_t k = 2 * half;
        check(strands, {7, k - 1, k, k + 1}, {mismatches, cap});
      }
    }
  }
}

TEST_CASE("large groups of rows, whose windows reach the cap early, count as all others do") {
  Random random(79);
  std::vector<std::string> copies;
  const std::string unit = random_string(random, 30, "ACGT");
  for (int copy = 0; copy < (thinned() ? 60 : 2500); ++copy) {
    std::string changed = random_string(random, 2, "ACGT") + unit;
    changed[2 + below(random, 30)] = "ACGT"[below(random, 4)];
    copies.push_back(changed);
  }
  const TextStrands strands(copies, true, SymbolPolicy::dna);
  for (const std::uint64_t cap : {std::uint64_t{100}, ~std::uint64_t{0}}) {
    const KmerMatching matching{2, cap};
    const auto found = counted<std::uint32_t>(strands, {24}, matching, {100'000, 3});
    REQUIRE(found == counted<std::uint32_t>(strands, {24}, matching, {3000, 1}));
    // Every so many windows are enough for an oracle that looks at all others.
    const std::uint64_t step = 997;
    const auto expected = naive_near_kmers(strands.view, 24, matching, step);
    for (std::uint64_t p = 0; p < strands.view.half; p += step) {
      CAPTURE(p);
      REQUIRE(found[0][p] == expected[p]);
    }
  }
}

TEST_CASE("frequencies above 2^15 with mismatches get room in the list") {
  const TextStrands strands({std::string(40'000, 'A') + "C" + std::string(30, 'A')}, false,
                            SymbolPolicy::dna);
  const auto found = counted<std::uint32_t>(strands, {20}, {1, ~std::uint64_t{0}}, {10'000, 2});
  // Every window holds at most one C.
  const std::uint64_t all = 40'031 - 19;
  CHECK(found[0][0] == all);
  CHECK(found[0][39'990] == all - 19);
}
