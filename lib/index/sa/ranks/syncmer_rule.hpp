// Which positions of a text are syncmers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "index/sa/tuning.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Closed syncmers (Edgar, 2021): position p is a syncmer when the smallest hash of the mers at
/// p .. p + window, the leftmost of equals, is the first or the last one. Of any `window`
/// consecutive positions at least one is a syncmer, except near the end of a segment, where too few
/// symbols are left to decide. Where mers do not repeat, about 2 positions in window + 1 are.
///
/// Only the window + mer symbols from p on decide whether p is a syncmer. So suffixes that agree on
/// depth() symbols have their first syncmer at the same distance, which is less than `window`; and
/// if that distance is 0, their second one too.
struct SyncmerRule {
  TextView text;
  std::uint32_t mer;     ///< symbols
  std::uint32_t window;  ///< a power of two

  /// A wide window means fewer syncmers to rank, but a greater depth.
  explicit SyncmerRule(const TextView& view)
      : SyncmerRule(view, view.symbols.bits <= 2 ? sa_tuning::window_of_dna
                                                 : sa_tuning::window_of_others) {}
  /// Pre: wide is a power of two, at most 64.
  SyncmerRule(const TextView& view, std::uint32_t wide)
      : text(view),
        mer((sa_tuning::mer_bits + view.symbols.bits - 1) / view.symbols.bits),
        window(wide) {}

  std::uint64_t depth() const { return mer + 2 * window; }

  std::uint32_t hash(std::uint64_t p) const {
    const std::uint64_t symbols = text.symbols.window(p) >> (64 - mer * text.symbols.bits);
    return static_cast<std::uint32_t>(symbols * 0x9E3779B97F4A7C15u >> 32);
  }

  /// Calls on_syncmer(p) for each syncmer in [begin, end), in order. Cost: 3 ns per position.
  template <class OnSyncmer>
  void for_each(std::uint64_t begin, std::uint64_t end, const OnSyncmer& on_syncmer) const {
    const SegmentsView& segments = text.segments;
    if (begin >= end) return;
    for (std::uint64_t s = segments.segment_at(begin); s < segments.count; ++s) {
      const std::uint64_t first = std::max(begin, segments.starts[s]);
      if (first >= end) return;
      const std::uint64_t separator = segments.starts[s + 1] - 1;
      // All mers of a position must lie in the segment.
      if (first + window + mer > separator) continue;
      const std::uint64_t decided = std::min(end, separator - window - mer + 1);
      for (std::uint64_t p = first; p < decided; p += tile)
        scan_tile(p, std::min(tile, decided - p), on_syncmer);
    }
  }

 private:
  static constexpr std::uint64_t tile = 2048;

  template <class OnSyncmer>
  void scan_tile(std::uint64_t begin, std::uint64_t size, const OnSyncmer& on_syncmer) const {
    std::array<std::uint32_t, tile + 64> hashes, least;
    std::uint64_t length = size + window;
    for (std::uint64_t i = 0; i < length; ++i)
      hashes[i] = hash(begin + i);
    // least[i] becomes the smallest of hashes[i, i + window): each step doubles the width.
    std::copy_n(hashes.begin(), length, least.begin());
    for (std::uint32_t step = 1; step < window; step *= 2) {
      length -= step;
      for (std::uint64_t i = 0; i < length; ++i)
        least[i] = std::min(least[i], least[i + step]);
    }
    for (std::uint64_t i = 0; i < size; ++i) {
      const bool is_first = hashes[i] <= least[i + 1];
      const bool is_last = hashes[i + window] < least[i];
      if (is_first || is_last) on_syncmer(begin + i);
    }
  }
};

}  // namespace gsx
