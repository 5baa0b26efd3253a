// Which of several entries a sequence came from: by hand, in any order, and at the ends of all
// numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "analysis/barcodes/posterior.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("the likeliest entry is taken from its confidence on, by hand") {
  using Candidates = std::vector<Candidate>;
  constexpr std::uint64_t many = ~std::uint64_t{0};
  struct Case {
    Candidates candidates;
    std::uint32_t millionths;
    std::optional<std::uint32_t> expected;
  };
  const std::vector<Case> cases{
      {{}, 0, {}},
      {{{7, 1, 0}}, 1'000'000, 7},
      {{{7, 0, 0}}, 0, {}},
      {{{1, 0, 0}, {2, 0, 0}}, 0, {}},
      {{{1, 0, 0}, {2, 1, 0}}, 1'000'000, 2},
      {{{1, 4, 0}, {2, 3, 0}}, 975'000, {}},
      {{{1, 4, 0}, {2, 3, 0}}, 571'428, 1},
      {{{1, 4, 0}, {2, 3, 0}}, 571'429, {}},
      {{{1, 39, 0}, {2, 1, 0}}, 975'000, 1},  // exactly the confidence
      {{{1, 78, 0}, {2, 2, 0}}, 975'000, 1},
      {{{1, 77, 0}, {2, 2, 0}}, 975'000, {}},
      {{{1, 3, 0}, {2, 3, 0}}, 0, {}},
      {{{1, 3, 0}, {2, 3, 0}, {3, 4, 0}}, 400'000, 3},
      {{{1, 4, 0}, {2, 3, 0}, {3, 4, 0}}, 0, {}},
      {{{1, 1, 20}, {2, 39, 20}}, 975'000, 2},  // equal qualities change nothing
      {{{1, 39, 30}, {2, 1, 20}}, 975'000, {}},
      {{{1, 4, 10}, {2, 3, 40}}, 975'000, 1},  // 4000 to 3
      {{{1, 10, 20}, {2, 1, 10}}, 0, {}},      // equally likely
      {{{1, 1, 0}, {2, many - 1, 0}}, 1'000'000, {}},
      {{{1, 1, 0}, {2, many - 1, 0}}, 999'999, 2},
      {{{1, 1, 0}, {2, many - 1, 5952}}, 1'000'000, 1},
  };
  for (const Case& c : cases) {
    CAPTURE(&c - cases.data());
    CHECK(likeliest(c.candidates, {c.millionths}) == c.expected);
    Candidates turned(c.candidates.rbegin(), c.candidates.rend());
    CHECK(likeliest(turned, {c.millionths}) == c.expected);
  }
}

TEST_CASE("the likeliest entry is that of floating-point sums, whatever the order") {
  Random random(run_seed());
  for (int round = 0; round < 2000; ++round) {
    std::vector<Candidate> candidates;
    for (std::uint32_t e = 0; e < 2 + below(random, 5); ++e) {
      candidates.push_back({e, below(random, below(random, 2) == 0 ? 5 : 10'000),
                            33 + static_cast<std::uint32_t>(below(random, 94))});
    }
    const std::uint32_t millionths = 500'001 + static_cast<std::uint32_t>(below(random, 499'999));
    double all = 0, most = 0;
    std::uint32_t best = 0;
    for (const Candidate& candidate : candidates) {
      const double weight = static_cast<double>(candidate.count) *
                            std::pow(10, -static_cast<double>(candidate.quality) / 10);
      all += weight;
      if (weight <= most) continue;
      most = weight;
      best = candidate.entry;
    }
    const double over = all == 0 ? -1 : most / all * 1e6 - millionths;
    if (all != 0 && std::abs(over) < 1) continue;  // too near to be told by such sums
    CAPTURE(round);
    const auto found = likeliest(candidates, {millionths});
    CHECK(found == (over > 0 ? std::optional(best) : std::nullopt));
    std::shuffle(candidates.begin(), candidates.end(), random);
    CHECK(likeliest(candidates, {millionths}) == found);
  }
}
