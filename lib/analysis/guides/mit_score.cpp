#include "analysis/guides/mit_score.hpp"

#include <array>
#include <cmath>

namespace gsx {
namespace {

constexpr std::array<double, mit_guide_length> weights = {
    0,     0,     0.014, 0,     0,     0.395, 0.317, 0,     0.389, 0.079,
    0.445, 0.508, 0.613, 0.851, 0.732, 0.828, 0.615, 0.804, 0.685, 0.583};

}  // namespace

std::uint64_t mit_score(std::span<const std::uint32_t> mismatches) {
  if (mismatches.empty()) return full_score;
  double score = static_cast<double>(full_score);
  for (const std::uint32_t position : mismatches)
    score *= 1 - weights[position];
  const auto count = static_cast<double>(mismatches.size());
  if (mismatches.size() > 1) {
    const double distance =
        static_cast<double>(mismatches.back() - mismatches.front()) / (count - 1);
    score /= (19 - distance) / 19 * 4 + 1;
  }
  return static_cast<std::uint64_t>(std::llround(score / (count * count)));
}

double specificity(std::uint64_t sum_of_scores) {
  const double sum = static_cast<double>(sum_of_scores) / static_cast<double>(score_unit);
  return 100 * 100 / (100 + sum);
}

}  // namespace gsx
