// Positions of a text chosen by what stands there, close enough together.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// Closed syncmers (Edgar, 2021): position p is a sample when the smallest hash of the mers at
/// p .. p + window, the leftmost of equals, is the first or the last one. Of any `window` positions
/// in a row one is, except near a segment's end, where too little is left to decide; about 2 in
/// window + 1 are where mers do not repeat.
///
/// Whether p is a sample depends on nothing but the window + mer symbols from p on. So suffixes
/// that agree on depth() symbols have their first sample at the same distance, below `window`, and
/// if that is 0 their second one too.
struct SyncmerRule {
  TextView text;
  std::uint32_t mer;     ///< symbols
  std::uint32_t window;  ///< a power of two

  static constexpr std::uint32_t mer_bits = 24;  ///< enough to make equal mers in a window rare
  static constexpr std::uint64_t tile = 2048;

  /// A wide window means few samples to rank, but more symbols to be compared before.
  explicit SyncmerRule(const TextView& view)
      : text(view),
        mer((mer_bits + view.symbols.bits - 1) / view.symbols.bits),
        window(view.symbols.bits <= 2 ? 32 : 16) {}

  std::uint64_t depth() const { return mer + 2 * window; }

  std::uint32_t hash(std::uint64_t p) const {
    const std::uint64_t symbols = text.symbols.window(p) >> (64 - mer * text.symbols.bits);
    return static_cast<std::uint32_t>(symbols * 0x9E3779B97F4A7C15u >> 32);
  }

  /// Calls on_sample(p) for each sample in [begin, end), in order. Cost: 3 ns a position.
  template <class OnSample>
  void for_each(std::uint64_t begin, std::uint64_t end, const OnSample& on_sample) const {
    const SegmentsView& segments = text.segments;
    if (begin >= end) return;
    for (std::uint64_t s = segments.segment_at(begin); s < segments.count; ++s) {
      const std::uint64_t first = std::max(begin, segments.starts[s]);
      if (first >= end) return;
      const std::uint64_t separator = segments.starts[s + 1] - 1;
      // A position is decided when all its mers lie in the segment.
      if (first + window + mer > separator) continue;
      const std::uint64_t decided = std::min(end, separator - window - mer + 1);
      for (std::uint64_t p = first; p < decided; p += tile)
        scan_tile(p, std::min(tile, decided - p), on_sample);
    }
  }

 private:
  template <class OnSample>
  void scan_tile(std::uint64_t begin, std::uint64_t size, const OnSample& on_sample) const {
    std::array<std::uint32_t, tile + 64> hashes, least;
    std::uint64_t length = size + window;
    for (std::uint64_t i = 0; i < length; ++i)
      hashes[i] = hash(begin + i);
    // least[i] becomes the smallest of hashes[i, i + window): twice as many each time.
    std::copy_n(hashes.begin(), length, least.begin());
    for (std::uint32_t step = 1; step < window; step *= 2) {
      length -= step;
      for (std::uint64_t i = 0; i < length; ++i)
        least[i] = std::min(least[i], least[i + step]);
    }
    for (std::uint64_t i = 0; i < size; ++i) {
      const bool is_first = hashes[i] <= least[i + 1];
      const bool is_last = hashes[i + window] < least[i];
      if (is_first || is_last) on_sample(begin + i);
    }
  }
};

}  // namespace gsx
