// How likely a nuclease cuts at a site of a guide, and how specific that leaves the guide.
#pragma once

#include <cstdint>
#include <span>

namespace gsx {

/// Scores are whole numbers of millionths of a per cent point, so that sums do not depend on the
/// order of the sites.
inline constexpr std::uint64_t score_unit = 1'000'000;
/// The score of a site without mismatches.
inline constexpr std::uint64_t full_score = 100 * score_unit;

/// Bases of a guide that has an MIT score; its PAM is on the 3' side.
inline constexpr std::uint64_t mit_guide_length = 20;

/// The score of a site with mismatches at these positions, counted from 0 at the 5' end of a guide
/// of 20 bases, ascending. From Hsu et al., Nature Biotechnology 31 (2013) 827, as published at
/// crispr.mit.edu: the product of the weights of the positions, of a term that falls with the mean
/// distance of neighbouring mismatches, and of 1 over the square of their number.
std::uint64_t mit_score(std::span<const std::uint32_t> mismatches);

/// 100 * 100 / (100 + the sum of the scores of all sites but the guide's own), in per cent.
double specificity(std::uint64_t sum_of_scores);

}  // namespace gsx
