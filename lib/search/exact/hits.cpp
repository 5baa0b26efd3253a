#include "search/exact/hits.hpp"

namespace gsx {

void Hits::append(const HitChunk& chunk) {
  const std::uint64_t before = hits.size();
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::size_t pattern = chunk.first + i;
    if (pattern == counts.size()) {
      counts.push_back(chunk.counts[i]);
      hit_ends.push_back(0);
    }
    hit_ends[pattern] = before + chunk.ends[i];
  }
  hits.insert(hits.end(), chunk.hits.begin(), chunk.hits.end());
}

}  // namespace gsx
