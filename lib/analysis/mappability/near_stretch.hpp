// Windows of a text that differ in few symbols, found from a stretch on which they are equal.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "index/lcp/common_prefix.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Most symbols in which windows may differ.
inline constexpr int most_near_mismatches = 4;

/// Windows of k symbols that differ from one another in 1 to `mismatches` symbols.
///
/// Lay two such windows on one another. Their mismatches leave at most mismatches + 1 equal
/// stretches, of which one has seed() symbols or more. So the pairs of positions at which an equal
/// stretch of that length begins lead to all pairs of windows. Each of those is counted from the
/// first such stretch only. Pre: 1 <= mismatches <= most_near_mismatches, and mismatches < k.
struct NearWindows {
  std::int64_t k = 0;
  int mismatches = 0;

  GSX_HD std::int64_t seed() const { return k / (mismatches + 1); }
};

/// The symbols on both sides of a seed: enough to tell that most pairs of places differ too much.
class NearSides {
 public:
  NearSides() = default;
  /// Pre: seed() symbols from p on are in one segment.
  GSX_HD NearSides(const PackedView& symbols, const NearWindows& windows, std::uint64_t p) {
    const std::uint64_t held = symbols_at_once(symbols.bits);
    const std::uint64_t before = p < held ? p : held;
    if (before != 0) before_ = symbols.window(p - before) >> (64 - before * symbols.bits);
    const std::uint64_t unused = 64 - held * symbols.bits;
    behind_ = symbols.window(p + static_cast<std::uint64_t>(windows.seed())) >> unused << unused;
  }

  /// False if no windows around the seeds of two places are near one another. Pre: the symbols
  /// before the seeds differ, or `at_start`: a segment begins at either.
  GSX_HD bool may_be_near(const NearSides& other, const NearWindows& windows, std::uint32_t bits,
                          bool at_start) const {
    // Symbols before the seed up to the first, second, ... mismatch.
    std::int64_t before[most_near_mismatches + 1] = {};
    std::uint64_t unlike = before_ ^ other.before_;
    for (int i = 0; i <= windows.mismatches && !at_start; ++i) {
      before[i] = unlike == 0 ? windows.k : lowest_bit64(unlike) / bits;
      if (unlike != 0)
        unlike = clear_up_to(unlike, static_cast<std::uint64_t>(before[i] + 1) * bits);
    }
    unlike = behind_ ^ other.behind_;
    for (int i = windows.mismatches; i >= 0; --i) {
      if (unlike == 0) return true;
      const std::uint64_t behind = highest_zeros64(unlike) / bits;
      if (before[i] + windows.seed() + static_cast<std::int64_t>(behind) >= windows.k) return true;
      const std::uint64_t seen = (behind + 1) * bits;
      unlike = seen >= 64 ? 0 : unlike << seen >> seen;
    }
    return false;
  }

  /// Symbols behind the seeds of two places that are equal, or held_behind() if all of them are.
  /// Separators count as symbols.
  GSX_HD std::uint64_t equal_behind(const NearSides& other, std::uint32_t bits) const {
    const std::uint64_t unlike = behind_ ^ other.behind_;
    return unlike == 0 ? held_behind(bits) : highest_zeros64(unlike) / bits;
  }
  GSX_HD static std::uint64_t held_behind(std::uint32_t bits) { return symbols_at_once(bits); }

 private:
  GSX_HD static std::uint64_t clear_up_to(std::uint64_t word, std::uint64_t count) {
    return count >= 64 ? 0 : word >> count << count;
  }

  std::uint64_t before_ = 0;  ///< the last symbol lowest
  std::uint64_t behind_ = 0;  ///< the first symbol highest
};

/// Where two places of a text differ, around an equal stretch: offsets from its first symbol, in
/// order. at[home] is before the stretch and at[home + 1] right behind it. The outermost two may be
/// where a segment ends, or where a window ends that holds the stretch; the others are mismatches.
struct StretchPlaces {
  static constexpr int home = most_near_mismatches;

  std::int64_t at[2 * (most_near_mismatches + 1)];
  int first = home;
  int last = home + 1;

  /// Looks at the text around positions p and q, from which on `length` symbols are equal and no
  /// more. Pre: the symbols before p and q differ, or a segment begins at either.
  /// Cost: a random line of the text for each, and a few loads for each mismatch.
  GSX_HD StretchPlaces(const TextView& text, const NearWindows& windows, std::uint64_t p,
                       std::uint64_t q, std::uint64_t length) {
    const Segment of_p(text.segments, p), of_q(text.segments, q);
    const auto k = static_cast<std::uint64_t>(windows.k);
    // A stretch of seed() symbols before a window's first mismatch matters, too.
    find_before(text.symbols, windows.mismatches, p, q,
                least(of_p.before, of_q.before, k + static_cast<std::uint64_t>(windows.seed())));
    find_behind(text.symbols, windows.mismatches, p, q, length,
                least(of_p.from, of_q.from, length + k));
  }

  /// Calls on_windows(begin, end) for the windows that are counted from this stretch: those that
  /// begin at the offsets [begin, end) have the same mismatches.
  template <class OnWindows>
  GSX_HD void for_each_windows(const NearWindows& windows, const OnWindows& on_windows) const {
    for (int from = home + 1; from > first; --from) {  // the first mismatch
      const bool is_before = from <= home;
      if (is_before && at[from] - at[from - 1] > windows.seed()) break;  // counted from there
      for (int to = is_before ? home : from; to < last && to - from < windows.mismatches; ++to) {
        std::int64_t begin = at[to] - windows.k + 1, end = at[to + 1] - windows.k + 1;
        if (begin <= at[from - 1]) begin = at[from - 1] + 1;
        if (end > at[from]) end = at[from] + 1;
        if (begin < end) on_windows(begin, end);
      }
    }
  }

 private:
  /// Symbols of a segment before a position, and from there on.
  struct Segment {
    std::uint64_t before, from;
    GSX_HD Segment(const SegmentsView& segments, std::uint64_t p) {
      const std::uint64_t s = segments.segment_at(p);
      before = p - segments.starts[s];
      from = segments.starts[s + 1] - 1 - p;
    }
  };
  GSX_HD static std::uint64_t least(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    const std::uint64_t two = a < b ? a : b;
    return two < c ? two : c;
  }

  GSX_HD void find_before(const PackedView& symbols, int mismatches, std::uint64_t p,
                          std::uint64_t q, std::uint64_t most) {
    at[home] = -1;
    if (most == 0) return;
    for (std::uint64_t seen = 1; first > home - mismatches;) {
      const std::uint64_t equal = common_symbols_before(symbols, p - seen, q - seen, most - seen);
      seen += equal + 1;
      at[--first] = -static_cast<std::int64_t>(seen);
      if (seen > most) return;
    }
  }
  GSX_HD void find_behind(const PackedView& symbols, int mismatches, std::uint64_t p,
                          std::uint64_t q, std::uint64_t length, std::uint64_t most) {
    at[home + 1] = static_cast<std::int64_t>(length);
    for (std::uint64_t seen = length + 1; seen <= most && last < home + 1 + mismatches;) {
      seen += common_symbols(symbols, p + seen, q + seen, 0, most - seen) + 1;
      at[++last] = static_cast<std::int64_t>(seen) - 1;
    }
  }
};

}  // namespace gsx
