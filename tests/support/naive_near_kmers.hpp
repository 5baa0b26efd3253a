// K-mers with mismatches, counted by looking at every two windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/mappability/near_kmers.hpp"
#include "support/texts.hpp"
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

/// The frequency at every `step`-th position of the first half, capped; 0 at the others: the places
/// of the first half that the window there is near on either strand.
inline std::vector<std::uint64_t> naive_near_kmers(const BothStrandsView& text, std::uint64_t k,
                                                   const KmerMatching& matching,
                                                   std::uint64_t step = 1) {
  const bool both = text.half < text.text.length();
  const auto windows = windows_of(text.text, k);
  std::vector<std::uint64_t> counts(text.half, 0);
  for (std::uint64_t p = 0; p < counts.size(); p += step) {
    if (windows[p].empty()) continue;
    const std::string turned = reverse_complement_of(windows[p]);
    for (std::uint64_t q = 0; q < text.half; ++q) {
      if (windows[q].empty()) continue;
      counts[p] += are_near(windows[p], windows[q], matching.mismatches) ||
                           (both && are_near(turned, windows[q], matching.mismatches))
                       ? 1
                       : 0;
    }
    counts[p] = std::min(counts[p], matching.cap);
  }
  return counts;
}

/// Units that are nearly their own reverse complements, of even and odd lengths, some of them
/// twice, and what stands between; in two records.
inline std::vector<std::string> near_palindromes(Random& random, std::uint64_t half, int units) {
  std::vector<std::string> all(2);
  std::string unit;
  for (int i = 0; i < units; ++i) {
    if (i % 3 != 2) {
      unit = random_string(random, half, "ACGT");
      unit += random_string(random, i % 2, "ACGT");
      for (std::uint64_t p = half; p-- > 0;)
        unit += "TGCA"[std::string("ACGT").find(unit[p])];
    }
    std::string changed = unit;
    for (std::uint64_t change = below(random, 5); change > 0; --change)
      changed[below(random, changed.size())] = "ACGT"[below(random, 4)];
    all[i % 2] += changed + random_string(random, below(random, 5), "ACGT");
  }
  return all;
}

}  // namespace gsx::testing
