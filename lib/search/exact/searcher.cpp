#include "search/exact/searcher.hpp"

#include "text/alphabet.hpp"

namespace gsx {

void Searcher::locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
                      Hits& hits) const {
  hits.counts.clear();
  hits.hits.clear();
  hits.hit_ends.clear();
  stream(patterns, {strands, max_hits}, [&](const HitChunk& chunk) { hits.append(chunk); });
}

UnpackedPatterns::UnpackedPatterns(const Patterns& patterns)
    : codes_(patterns.symbols()), ends_(patterns.size()) {
  for (std::uint64_t i = 0; i < codes_.size(); ++i)
    codes_[i] = static_cast<std::uint8_t>(patterns.packed[patterns.begin + i]);
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    ends_[i] = patterns.ends[i] - patterns.begin;
    if (patterns.foreign[i] != 0) codes_[patterns.begin_of(i) - patterns.begin] = Alphabet::none;
  }
  patterns_ = {codes_, ends_};
}

}  // namespace gsx
