// K-mers with mismatches, counted by looking at every two windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "mappability/near_kmers.hpp"
#include "text/both_strands.hpp"

namespace gsx::testing {

/// The windows of k symbols of a text, as strings of codes; "" where none begins.
inline std::vector<std::string> windows_of(const TextView& text, std::uint64_t k) {
  std::vector<std::string> all(text.length());
  for (std::uint64_t p = 0; p < text.length(); ++p) {
    if (text.segments.separator_from(p) - p < k) continue;
    for (std::uint64_t i = 0; i < k; ++i)
      all[p] += static_cast<char>(text.symbols[p + i]);
  }
  return all;
}

inline bool are_near(const std::string& a, const std::string& b, int mismatches) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && --mismatches < 0) return false;
  }
  return true;
}

inline std::string reverse_complement_of(std::string codes) {
  std::reverse(codes.begin(), codes.end());
  for (char& code : codes)
    code = static_cast<char>(3 - code);
  return codes;
}

/// The frequency at every `step`-th position of the first half, capped; 0 at the others.
inline std::vector<std::uint64_t> naive_near_kmers(const BothStrandsView& text, std::uint64_t k,
                                                   const KmerMatching& matching,
                                                   std::uint64_t step = 1) {
  const bool both = text.half < text.text.length();
  const auto windows = windows_of(text.text, k);
  std::vector<std::uint64_t> counts(text.half, 0);
  for (std::uint64_t p = 0; p < counts.size(); p += step) {
    if (windows[p].empty()) continue;
    for (const std::string& other : windows)
      counts[p] += !other.empty() && are_near(windows[p], other, matching.mismatches) ? 1 : 0;
    if (both && reverse_complement_of(windows[p]) == windows[p]) counts[p] /= 2;
    counts[p] = std::min(counts[p], matching.cap);
  }
  return counts;
}

}  // namespace gsx::testing
