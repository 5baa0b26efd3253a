// Chunks of hits on their way to a sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "search/exact/hits.hpp"

namespace gsx {

/// Passes chunks on and remembers how far they got. After a failure, the search can be restarted at
/// pattern(), also by another searcher: hits that were passed on are left out.
class HitProgress {
 public:
  explicit HitProgress(const HitSink& sink) : sink_(sink) {}
  /// Pre: chunk.first <= pattern().
  void pass_on(HitChunk chunk);

  /// The first pattern whose hits have not all been passed on.
  std::size_t pattern() const { return pattern_; }
  /// Whether the sink is running or has thrown.
  bool in_sink() const { return in_sink_; }

 private:
  void leave_out_first_hits(HitChunk& chunk, std::uint64_t count);

  const HitSink& sink_;
  std::size_t pattern_ = 0;
  std::uint64_t hits_ = 0;  ///< hits of that pattern that have been passed on
  bool in_sink_ = false;
  std::vector<std::uint64_t> ends_;
};

/// Gives `chunk`, whose hits are elsewhere, to the sink in chunks of at most `most` hits.
/// fetch(begin, count) gets a part of the hits. Pre: most > 0, chunk.before is 0.
void give_in_pieces(
    const HitChunk& chunk, std::uint64_t most,
    const std::function<std::span<const Hit>(std::uint64_t begin, std::uint64_t count)>& fetch,
    const HitSink& sink);

}  // namespace gsx
