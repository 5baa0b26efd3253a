#include "search/edits/edits.hpp"

#include <algorithm>

namespace gsx {

bool can_be_asked_with_edits(std::span<const std::uint8_t> pattern, bool dna, std::uint32_t edits) {
  if (pattern.size() <= edits || pattern.size() > longest_edit_pattern) return false;
  return !dna ||
         !std::all_of(pattern.begin(), pattern.end(), [](BaseSet set) { return is_any(set); });
}

void keep_fewest_edits(std::vector<EditHit>& hits, std::uint64_t most, std::size_t begin) {
  if (hits.size() - begin <= most) return;
  const auto first = hits.begin() + static_cast<std::ptrdiff_t>(begin);
  std::vector<std::uint32_t> edits;
  for (auto hit = first; hit != hits.end(); ++hit)
    edits.push_back(hit->edits());
  // Hits with fewer edits than the `most`-th are all kept, and so many of those with as many.
  std::sort(edits.begin(), edits.end());
  const std::uint32_t limit = most == 0 ? 0 : edits[most - 1];
  std::uint64_t equal =
      most - static_cast<std::uint64_t>(std::lower_bound(edits.begin(), edits.end(), limit) -
                                        edits.begin());
  auto to = first;
  for (auto hit = first; hit != hits.end(); ++hit) {
    if (hit->edits() > limit || (hit->edits() == limit && equal == 0)) continue;
    if (hit->edits() == limit) --equal;
    *to++ = *hit;
  }
  hits.erase(to, hits.end());
}

void keep_best_counts(EditCounts& counts) {
  for (std::size_t i = 0; i < counts.patterns(); ++i) {
    const std::uint32_t fewest = counts.fewest(i);
    for (const bool reverse : {false, true}) {
      const std::span<std::uint64_t> own = counts.of(i, reverse);
      std::fill(own.begin() + fewest + 1, own.end(), 0);
    }
  }
}

}  // namespace gsx
