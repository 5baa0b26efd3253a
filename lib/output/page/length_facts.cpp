#include "output/page/length_facts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace gsx {
namespace {

constexpr double least_step = 1.0 / 300;  ///< of the part of all symbols, between two points
constexpr double bins_per_decade = 5;
constexpr std::uint64_t linear_bins = 20;

/// Bins without counts from `least` to `most`; growing ones if `grow`.
std::vector<LengthBin> bins_of(std::uint64_t least, std::uint64_t most, bool grow) {
  std::vector<LengthBin> bins;
  if (!grow) {
    const std::uint64_t width = (most - least) / linear_bins + 1;
    for (std::uint64_t from = least; from <= most; from += width)
      bins.push_back({from, from + width - 1});
    return bins;
  }
  if (least == 0) bins.push_back({0, 0});
  const auto edge = [](int number) {
    return static_cast<std::uint64_t>(std::ceil(std::pow(10, number / bins_per_decade)));
  };
  const double decades = std::log10(static_cast<double>(std::max<std::uint64_t>(least, 1)));
  int number = static_cast<int>(std::floor(decades * bins_per_decade));
  for (std::uint64_t from = 0; from <= most; ++number) {
    const std::uint64_t begin = edge(number), end = edge(number + 1);
    if (begin < end) bins.push_back({begin, end - 1});
    from = end;
  }
  return bins;
}

}  // namespace

LengthFacts::LengthFacts(std::vector<std::uint64_t> lengths, std::uint64_t genome_length)
    : count(lengths.size()), genome(genome_length) {
  if (lengths.empty()) return;
  std::ranges::sort(lengths, std::greater<>());
  total = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  longest = lengths.front();
  shortest = lengths.back();
  median = lengths[lengths.size() / 2];
  double shown = -1;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < lengths.size(); ++i) {
    const std::uint64_t before = sum;
    sum += lengths[i];
    const auto reaches = [&](double part, std::uint64_t of) {
      const double goal = part * static_cast<double>(of);
      return static_cast<double>(before) < goal && static_cast<double>(sum) >= goal;
    };
    if (reaches(0.5, total)) {
      n50 = lengths[i];
      l50 = i + 1;
    }
    if (reaches(0.9, total)) n90 = lengths[i];
    if (genome != 0 && reaches(0.5, genome)) ng50 = lengths[i];
    const double part = total == 0 ? 0 : static_cast<double>(before) / static_cast<double>(total);
    if (part - shown < least_step) continue;
    shown = part;
    cumulative.push_back({part, lengths[i]});
  }
  is_logarithmic = longest / std::max<std::uint64_t>(shortest, 1) >= 20;
  bins = bins_of(shortest, longest, is_logarithmic);
  for (const std::uint64_t length : lengths) {
    const auto after = std::ranges::upper_bound(bins, length, {}, &LengthBin::from);
    ++(after - 1)->count;
  }
}

}  // namespace gsx
