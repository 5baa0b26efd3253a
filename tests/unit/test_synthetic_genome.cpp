// The synthetic genome repeats, and is composed, like human DNA.
#include <divsufsort.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bench/synthetic.hpp"

using namespace gsx;

namespace {

/// For each suffix, the bases that it has in common with the neighbour that it shares most with.
std::vector<int> agreement(const std::string& text) {
  const int n = static_cast<int>(text.size());
  const auto* symbols = reinterpret_cast<const sauchar_t*>(text.data());
  std::vector<saidx_t> suffixes(text.size()), before(text.size(), -1);
  REQUIRE(divsufsort(symbols, suffixes.data(), n) == 0);
  for (int row = 1; row < n; ++row)
    before[static_cast<std::size_t>(suffixes[static_cast<std::size_t>(row)])] =
        suffixes[static_cast<std::size_t>(row - 1)];
  std::vector<int> common(text.size());
  for (int p = 0, length = 0; p < n; ++p, length = std::max(0, length - 1)) {
    const int other = before[static_cast<std::size_t>(p)];
    if (other < 0) {
      length = 0;
      continue;
    }
    while (std::max(p, other) + length < n && text[static_cast<std::size_t>(p + length)] ==
                                                  text[static_cast<std::size_t>(other + length)])
      ++length;
    common[static_cast<std::size_t>(p)] = std::max(common[static_cast<std::size_t>(p)], length);
    common[static_cast<std::size_t>(other)] =
        std::max(common[static_cast<std::size_t>(other)], length);
  }
  return common;
}

double share_of(const std::vector<int>& common, int k) {
  const auto some = std::count_if(common.begin(), common.end(), [&](int c) { return c >= k; });
  return static_cast<double>(some) / static_cast<double>(common.size());
}

}  // namespace

TEST_CASE("a synthetic genome repeats like human DNA") {
  const std::string text = synthetic_genome(8'000'000, 1, 2);
  const std::vector<int> common = agreement(text);
  struct Share {
    int k;
    double least, most;
  };
  for (const Share& expected :
       {Share{12, 0.59, 0.68}, Share{16, 0.15, 0.24}, Share{32, 0.045, 0.085},
        Share{64, 0.018, 0.04}, Share{256, 0.008, 0.023}, Share{1024, 0.003, 0.014}}) {
    CAPTURE(expected.k);
    CHECK(share_of(common, expected.k) >= expected.least);
    CHECK(share_of(common, expected.k) <= expected.most);
  }
  const int longest = *std::max_element(common.begin(), common.end());
  CHECK(longest > 4'000);
  CHECK(longest < 100'000);
}

TEST_CASE("a synthetic genome is composed like human DNA") {
  const std::string text = synthetic_genome(8'000'000, 2, 2);
  const auto n = static_cast<double>(text.size());
  const auto c = static_cast<double>(std::count(text.begin(), text.end(), 'C'));
  const auto g = static_cast<double>(std::count(text.begin(), text.end(), 'G'));
  CHECK((c + g) / n > 0.38);
  CHECK((c + g) / n < 0.44);
  double cg = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    cg += text[i] == 'C' && text[i + 1] == 'G' ? 1 : 0;
  CHECK(cg * n / (c * g) > 0.18);  // a quarter of what is expected without depletion
  CHECK(cg * n / (c * g) < 0.30);
  for (const char* part : {"CACACACACACACACA", "AAAAAAAAAAAAAAAA"})
    CHECK(text.find(part) != std::string::npos);
}
