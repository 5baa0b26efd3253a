// Searching an open index: batches of patterns in, counts and hits out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/hits.hpp"

namespace gsx {

/// Patterns as codes of an index's alphabet, `Alphabet::none` for what matches nothing. Pattern i
/// is codes[ends[i - 1], ends[i]), the first one from `begin` on.
struct Patterns {
  std::span<const std::uint8_t> codes;
  std::span<const std::uint64_t> ends;
  std::uint64_t begin = 0;

  std::size_t size() const { return ends.size(); }
  std::uint64_t begin_of(std::size_t i) const { return i == 0 ? begin : ends[i - 1]; }
  std::span<const std::uint8_t> operator[](std::size_t i) const {
    return codes.subspan(begin_of(i), ends[i] - begin_of(i));
  }
  /// Codes of all patterns.
  std::uint64_t symbols() const { return ends.empty() ? 0 : ends.back() - begin; }
  /// Patterns [first, last) as patterns of their own. Pre: first <= last <= size().
  Patterns some(std::size_t first, std::size_t last) const {
    return {codes, ends.subspan(first, last - first), begin_of(first)};
  }
};

/// Searches one open index; const member functions may be called by several threads at once.
/// Refers to the index, which must outlive it.
class Searcher {
 public:
  virtual ~Searcher() = default;
  /// counts[i] for pattern i. Patterns on an alphabet without complement are searched forward only.
  virtual void count(const Patterns& patterns, Strands strands,
                     std::vector<StrandCounts>& counts) const = 0;
  /// Gives `sink` all occurrences, or for a pattern with more than max_hits those first in suffix
  /// order (the forward strand's before the reverse strand's), sorted for output, chunk by chunk. A
  /// call holds a bounded number of hits (SearchMemory) however many there are. What the sink
  /// throws comes out as it is.
  virtual void stream_hits(const Patterns& patterns, const LocateRequest& request,
                           const HitSink& sink) const = 0;
  /// The same with all hits in memory.
  void locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits, Hits& hits) const;
};

}  // namespace gsx
