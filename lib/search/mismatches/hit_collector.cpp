#include "search/mismatches/hit_collector.hpp"

#include <algorithm>

namespace gsx {

GroupedHits grouped_hits(std::span<HitCollector> collectors, std::size_t patterns,
                         std::uint64_t max_hits) {
  std::vector<std::uint64_t> begins(patterns + 1, 0);
  for (HitCollector& collector : collectors)
    for (const PatternHit& found : collector.hits())
      if (found.pattern < patterns) ++begins[found.pattern + 1];
  for (std::size_t i = 1; i <= patterns; ++i)
    begins[i] += begins[i - 1];

  GroupedHits sorted;
  sorted.hits.resize(begins[patterns]);
  std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
  for (HitCollector& collector : collectors) {
    for (const PatternHit& found : collector.hits())
      if (found.pattern < patterns) sorted.hits[next[found.pattern]++] = found.hit;
    std::vector<PatternHit>().swap(collector.hits());
  }

  std::uint64_t kept = 0;
  std::vector<Hit> some;
  for (std::size_t i = 0; i < patterns; ++i) {
    const auto first = sorted.hits.begin() + static_cast<std::ptrdiff_t>(begins[i]);
    const auto last = sorted.hits.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]);
    std::sort(first, last);
    const auto to = sorted.hits.begin() + static_cast<std::ptrdiff_t>(kept);
    if (begins[i + 1] - begins[i] > max_hits) {
      some.assign(first, last);
      keep_fewest_mismatches(some, max_hits);
      std::copy(some.begin(), some.end(), to);
      kept += some.size();
    } else {
      std::copy(first, last, to);
      kept += begins[i + 1] - begins[i];
    }
    sorted.ends.push_back(kept);
  }
  sorted.hits.resize(kept);
  return sorted;
}

/// Drops hits that max_hits does not keep, and then, if more than half of the room is still taken,
/// gives up patterns from the last one on.
void HitCollector::make_room() {
  const std::size_t patterns = wanted_.limit();
  HitCollector mine(wanted_, room_);
  mine.hits_.swap(hits_);
  GroupedHits sorted = grouped_hits({&mine, 1}, patterns, wanted_.max_hits());
  std::size_t limit = patterns;
  while (limit > 0 && sorted.ends[limit - 1] > room_ / 2)
    --limit;
  wanted_.lower_limit(static_cast<std::uint32_t>(limit));
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < limit; ++i)
    for (; at < sorted.ends[i]; ++at)
      hits_.push_back({sorted.hits[at], static_cast<std::uint32_t>(i)});
}

}  // namespace gsx
