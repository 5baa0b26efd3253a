#include "search/searcher.hpp"

namespace gsx {

void Searcher::locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
                      Hits& hits) const {
  hits.counts.clear();
  hits.hits.clear();
  hits.hit_ends.clear();
  stream_hits(patterns, {strands, max_hits}, [&](const HitChunk& chunk) { hits.append(chunk); });
}

}  // namespace gsx
