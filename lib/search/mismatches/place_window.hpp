// A bit-sliced scan in registers: what one thread of a GPU compares.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "search/mismatches/base_bits.hpp"
#include "search/mismatches/mismatch_counter.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// 64 places of a text, and the 64 positions behind them.
struct PlaceWindow {
  static constexpr std::uint32_t places = 64;
  /// Positions of a pattern that can be compared.
  static constexpr std::uint32_t reach = 64;
  static constexpr int words = (places + reach) / 32;

  std::uint32_t lower[words];  ///< bits of the codes, the first position in bit 0
  std::uint32_t upper[words];

  /// Pre: begin is a multiple of `places`, and in the text.
  GSX_HD void load(const PackedView& symbols, std::uint64_t begin) {
    for (int i = 0; i < words; ++i) {
      const std::uint64_t at = begin + static_cast<std::uint64_t>(i) * 32;
      lower[i] = upper[i] = 0;
      if (at < symbols.size)
        split_codes(reverse_bytes64(load_big_endian64(symbols.bytes + at / 4)), lower[i], upper[i]);
    }
  }
};

/// Where a window has separators, or lies beyond the text.
struct WindowBorders {
  std::uint32_t at[PlaceWindow::words];

  /// Whether there are any. Cost: that of SegmentsView::segment_at().
  GSX_HD bool load(const SegmentsView& segments, std::uint64_t begin) {
    const std::uint64_t end = begin + PlaceWindow::words * 32;
    std::uint64_t segment = segments.segment_at(begin);
    if (segments.starts[segment + 1] - 1 >= end) return false;
    for (std::uint32_t& word : at)
      word = 0;
    for (; segment < segments.count && segments.starts[segment + 1] - 1 < end; ++segment)
      mark(segments.starts[segment + 1] - 1 - begin);
    for (std::uint64_t position = segments.length(); position < end; ++position)
      mark(position - begin);
    return true;
  }

  /// The places at which one of the first `length` positions, or of the first `reach`, is a border.
  GSX_HD void exclude(std::uint64_t length, std::uint32_t& first, std::uint32_t& second) const {
    const auto wanted =
        static_cast<std::uint32_t>(length < PlaceWindow::reach ? length : PlaceWindow::reach);
    std::uint64_t low = at[0] | std::uint64_t{at[1]} << 32;
    std::uint64_t high = at[2] | std::uint64_t{at[3]} << 32;
    for (std::uint32_t covered = 1; covered < wanted;) {
      const std::uint32_t step = covered < wanted - covered ? covered : wanted - covered;
      low |= low >> step | high << (64 - step);
      high |= high >> step;
      covered += step;
    }
    first = static_cast<std::uint32_t>(low);
    second = static_cast<std::uint32_t>(low >> 32);
  }

 private:
  GSX_HD void mark(std::uint64_t position) {
    at[position / 32] |= std::uint32_t{1} << position % 32;
  }
};

/// Which codes a position of a pattern mismatches, as masks of all lanes: a mismatch is
/// constant ^ (lower & lower bits) ^ (upper & upper bits) ^ (both & lower bits & upper bits).
struct alignas(16) PositionMasks {
  std::uint32_t constant;
  std::uint32_t lower;
  std::uint32_t upper;
  std::uint32_t both;

  GSX_HD std::uint32_t mismatches(std::uint32_t low, std::uint32_t high,
                                  std::uint32_t low_and_high) const {
    return constant ^ (lower & low) ^ (upper & high) ^ (both & low_and_high);
  }
};

/// Two strands of patterns to compare at the same time.
struct StrandPair {
  const PositionMasks* masks[2];  ///< of `positions` positions
  std::uint64_t strict[2];        ///< bit i: a mismatch at position i rules the place out
  std::uint32_t positions;        ///< a multiple of 4, up to PlaceWindow::reach
  std::uint32_t check_from;       ///< position from which on all places are likely to be ruled out
};

/// The counters of a pair at the places of a window.
template <int digits>
struct PairCounters {
  MismatchCounter<std::uint32_t, digits> of[2][2];  ///< [strand][word of places]

  GSX_HD bool all_over() const {
    return (of[0][0].over & of[0][1].over & of[1][0].over & of[1][1].over) == ~std::uint32_t{0};
  }
};

/// The 32 lanes of two words from lane `shift` on. Pre: shift < 32.
GSX_HD std::uint32_t lanes_from(std::uint32_t word, std::uint32_t next, std::uint32_t shift) {
  return static_cast<std::uint32_t>((std::uint64_t{next} << 32 | word) >> shift);
}

namespace window_detail {

/// Positions [32 half, 32 half + 32) of the patterns; whether all places are ruled out.
template <int half, int digits, class Vote>
GSX_HD bool compare_half(const PlaceWindow& window, const StrandPair& pair, const Vote& vote,
                         PairCounters<digits>& counters) {
  const std::uint32_t end = pair.positions < (half + 1) * 32 ? pair.positions : (half + 1) * 32;
  for (std::uint32_t i = half * 32; i < end; i += 4) {
    if (i >= pair.check_from && vote(counters.all_over())) return true;
    std::uint32_t mismatch[2][2][4];
    for (std::uint32_t q = 0; q < 4; ++q) {
      for (int word = 0; word < 2; ++word) {
        const std::uint32_t low =
            lanes_from(window.lower[word + half], window.lower[word + half + 1], i % 32 + q);
        const std::uint32_t high =
            lanes_from(window.upper[word + half], window.upper[word + half + 1], i % 32 + q);
        for (int strand = 0; strand < 2; ++strand)
          mismatch[strand][word][q] = pair.masks[strand][i + q].mismatches(low, high, low & high);
      }
    }
    for (int strand = 0; strand < 2; ++strand) {
      const auto strict = static_cast<std::uint32_t>(pair.strict[strand] >> i & 15);
      for (int word = 0; word < 2; ++word) {
        std::uint32_t(&four)[4] = mismatch[strand][word];
        if (strict != 0) {
          for (std::uint32_t q = 0; q < 4; ++q) {
            if ((strict >> q & 1) == 0) continue;
            counters.of[strand][word].over |= four[q];
            four[q] = 0;
          }
        }
        counters.of[strand][word].add(four[0], four[1], four[2], four[3]);
      }
    }
  }
  return false;
}

}  // namespace window_detail

/// Adds the mismatches of a pair to its counters. vote(over) tells whether `over` holds for all
/// that work together: only then may they stop early.
template <int digits, class Vote>
GSX_HD void compare_places(const PlaceWindow& window, const StrandPair& pair, const Vote& vote,
                           PairCounters<digits>& counters) {
  if (window_detail::compare_half<0>(window, pair, vote, counters)) return;
  window_detail::compare_half<1>(window, pair, vote, counters);
}

/// The value of a counter in one lane.
template <int digits>
GSX_HD std::uint32_t counter_value(const MismatchCounter<std::uint32_t, digits>& counter,
                                   std::uint32_t lane) {
  std::uint32_t value = 0;
  for (int i = 0; i < digits; ++i)
    value |= (counter.digit[i] >> lane & 1) << i;
  return value;
}

}  // namespace gsx
