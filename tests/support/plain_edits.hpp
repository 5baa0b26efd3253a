// The simplest search with edits: the whole matrix of distances of each segment and strand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "search/edits/edits.hpp"

namespace gsx::testing {

/// A hit with its alignment as text, from left to right in the text.
struct AlignedHit {
  EditHit hit;
  std::string cigar;
};

/// All hits of one pattern, in output order. Cost: a cell per symbol of the text and of the
/// pattern.
inline std::vector<AlignedHit> plain_edit_hits(const EditTarget& target,
                                               std::span<const std::uint8_t> pattern,
                                               const EditRequest& request) {
  std::vector<AlignedHit> found;
  const std::uint64_t m = pattern.size();
  if (!can_be_asked_with_edits(pattern, target.dna, request.edits)) return found;
  const SegmentsView& segments = target.text.segments;
  for (std::uint64_t s = 0; s < segments.count; ++s) {
    const std::uint64_t begin = segments.starts[s], end = segments.starts[s + 1] - 1;
    const std::uint64_t n = end - begin;
    for (const bool reverse : {false, true}) {
      if (request.strands == (reverse ? Strands::forward : Strands::reverse)) continue;
      if (reverse && !target.dna) continue;
      const auto equal = [&](std::uint64_t i, std::uint64_t j) {  // both from 1
        const std::uint64_t code = target.text.symbols[reverse ? end - j : begin + j - 1];
        if (!target.dna) return pattern[i - 1] == code;
        return (pattern[i - 1] >> (reverse ? 3 - code : code) & 1) != 0;
      };
      std::vector<std::vector<std::uint32_t>> d(n + 1, std::vector<std::uint32_t>(m + 1, 0));
      for (std::uint64_t j = 0; j <= n; ++j) {
        for (std::uint64_t i = 1; i <= m; ++i) {
          d[j][i] = d[j][i - 1] + 1;
          if (j == 0) continue;
          d[j][i] = std::min({d[j][i], d[j - 1][i] + 1, d[j - 1][i - 1] + (equal(i, j) ? 0 : 1)});
        }
      }
      const auto is_hit = [&](std::uint64_t j) {
        if (d[j][m] > request.edits || request.all_ends) return d[j][m] <= request.edits;
        if (j < n && d[j + 1][m] <= d[j][m]) return false;
        std::uint64_t before = j;
        while (before > 0 && d[before][m] == d[j][m])
          --before;
        return d[before][m] > d[j][m];
      };
      for (std::uint64_t j = 1; j <= n; ++j) {
        if (!is_hit(j)) continue;
        std::string letters;  // from the end
        std::uint64_t i = m, t = j;
        while (i > 0) {
          const std::uint32_t cost = t > 0 && equal(i, t) ? 0 : 1;
          if (t > 0 && d[t - 1][i - 1] + cost == d[t][i]) {
            letters += cost == 0 ? '=' : 'X';
            --i, --t;
          } else if (d[t][i - 1] + 1 == d[t][i]) {
            letters += 'I';
            --i;
          } else {
            letters += 'D';
            --t;
          }
        }
        if (!reverse) std::reverse(letters.begin(), letters.end());
        std::string cigar;
        for (std::size_t at = 0, next = 0; at < letters.size(); at = next) {
          next = std::min(letters.find_first_not_of(letters[at], at), letters.size());
          cigar += std::to_string(next - at) + letters[at];
        }
        found.push_back({reverse ? EditHit(end - j, end - t, true, d[j][m])
                                 : EditHit(begin + t, begin + j, false, d[j][m]),
                         cigar});
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const AlignedHit& a, const AlignedHit& b) { return a.hit < b.hit; });
  return found;
}

}  // namespace gsx::testing
