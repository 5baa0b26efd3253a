// What is known of each window of a text: whether it may still be added to, and whether it may be
// near a place on both strands.
#pragma once

#include <cstdint>

#include "analysis/mappability/near_stretch.hpp"
#include "base/host_device.hpp"
#include "text/both_strands.hpp"
#include "text/packed_bases.hpp"

namespace gsx {

/// A bit per position, for the window that begins there. Memory: 1 bit per position.
struct WindowBits {
  const std::uint64_t* bits = nullptr;
  std::uint64_t size = 0;

  /// Pre: p < size.
  GSX_HD bool has(std::uint64_t p) const { return (bits[p / 64] >> p % 64 & 1) != 0; }
  /// Whether a position of [begin, end) is set; what lies outside the text is not.
  /// Cost: a load per 64 positions.
  GSX_HD bool any(std::int64_t begin, std::int64_t end) const {
    const std::uint64_t first = begin < 0 ? 0 : static_cast<std::uint64_t>(begin);
    std::uint64_t behind = end < 0 ? 0 : static_cast<std::uint64_t>(end);
    if (behind > size) behind = size;
    if (first >= behind) return false;
    const std::uint64_t last = behind - 1;
    std::uint64_t word = bits[first / 64] >> first % 64 << first % 64;
    for (std::uint64_t at = first / 64; at < last / 64; word = bits[++at]) {
      if (word != 0) return true;
    }
    return word << (63 - last % 64) != 0;
  }
};

/// The windows that may still be added to: their counts have not reached the cap.
struct OpenWindows : WindowBits {
  /// Whether a window of k symbols is open that has a symbol beside the stretch
  /// [p, p + length): what makes it differ from the windows of another place.
  GSX_HD bool any_beside(std::int64_t k, std::uint64_t p, std::uint64_t length) const {
    const auto begin = static_cast<std::int64_t>(p),
               end = begin + static_cast<std::int64_t>(length);
    return any(begin - k, begin) || any(end + 1 - k, end + 1);
  }
};

/// In how many symbols the `length` bases from p on differ from the reverse complement of those
/// from q on, or some number above `most` if in more. Pre: symbols.bits == 2, no separator is among
/// them. Cost: two loads per 28 bases.
GSX_HD std::uint64_t reverse_mismatches(const PackedView& symbols, std::uint64_t p, std::uint64_t q,
                                        std::uint64_t length, std::uint64_t most) {
  constexpr std::uint32_t at_once = PackedView::max_bits / 2;
  std::uint64_t found = 0;
  for (std::uint64_t done = 0; done < length && found <= most;) {
    const std::uint64_t left = length - done;
    const std::uint32_t count = left < at_once ? static_cast<std::uint32_t>(left) : at_once;
    const std::uint64_t head = symbols.window(p + done) >> (64 - 2 * count);
    const std::uint64_t tail = symbols.window(q + left - count) >> (64 - 2 * count);
    const std::uint64_t unlike = head ^ reverse_complement(tail, count);
    // Few steps: most pairs of windows differ in more than `most` symbols.
    for (std::uint64_t left_over = (unlike | unlike >> 1) & 0x5555555555555555;
         left_over != 0 && found <= most; left_over &= left_over - 1)
      ++found;
    done += count;
  }
  return found;
}

/// The windows of the first half that are near-palindromes: they differ from their own reverse
/// complements in at most twice as many symbols as windows may differ in. Only such a window can be
/// near one place on both strands. Size 0 where the text has one strand.
struct NearPalindromes : WindowBits {
  /// Whether the window at p is one, if it lies in one segment. Pre: p + k <= symbols.size, 2 bits
  /// per symbol.
  GSX_HD static bool is_one(const PackedView& symbols, const NearWindows& windows,
                            std::uint64_t p) {
    const auto k = static_cast<std::uint64_t>(windows.k), half = k / 2;
    // Each mismatch of the first half is one of the last half, and a base in the middle is one.
    const std::uint64_t most = (2 * static_cast<std::uint64_t>(windows.mismatches) - k % 2) / 2;
    return reverse_mismatches(symbols, p, p + k - half, half, most) <= most;
  }
};

/// Calls add(begin, end) for the windows of [p, p + count) in the first half, each of which is near
/// that of [q, q + count), except where its place has been counted otherwise: a place that a window
/// is near on both strands counts once. If one strand is equal, the exact frequency has it;
/// otherwise the forward strand counts it.
/// Cost: a load; for near-palindromes, that of reverse_mismatches().
template <class Add>
GSX_HD void add_places_once(const BothStrandsView& text, const NearWindows& windows,
                            const NearPalindromes& palindromes, std::uint64_t p, std::uint64_t q,
                            std::uint64_t count, const Add& add) {
  const auto first = static_cast<std::int64_t>(p);
  if (!palindromes.any(first, first + static_cast<std::int64_t>(count))) return add(p, p + count);
  const auto most = static_cast<std::uint64_t>(text.is_forward(q) ? 0 : windows.mismatches);
  const auto k = static_cast<std::uint64_t>(windows.k);
  std::uint64_t begin = 0;  // of those that are to be added
  for (std::uint64_t i = 0; i < count; ++i) {
    // The strand of the place other than that at q + i is its reverse complement.
    if (!palindromes.has(p + i) ||
        reverse_mismatches(text.text.symbols, p + i, q + i, k, most) > most)
      continue;
    if (begin < i) add(p + begin, p + i);
    begin = i + 1;
  }
  if (begin < count) add(p + begin, p + count);
}

/// Calls add(begin, end) for the windows in the first half of the text, those that begin at
/// positions [begin, end), that get one more by positions p and q: `length` symbols are equal from
/// there on, and no more. Each two windows are found by one pair of positions only. Where all are
/// closed, none need be found.
/// Pre: the symbols before p and q differ, or a segment begins at either.
/// Cost: the bits of both places, and where any is open that of StretchPlaces.
template <class Add>
GSX_HD void add_near_windows(const BothStrandsView& text, const NearWindows& windows,
                             const OpenWindows& open, const NearPalindromes& palindromes,
                             std::uint64_t p, std::uint64_t q, std::uint64_t length,
                             const Add& add) {
  const bool p_forward = text.is_forward(p), q_forward = text.is_forward(q);
  if (!(p_forward && open.any_beside(windows.k, p, length)) &&
      !(q_forward && open.any_beside(windows.k, q, length)))
    return;
  const StretchPlaces places(text.text, windows, p, q, length);
  places.for_each_windows(windows, [&](std::int64_t begin, std::int64_t end) {
    const std::uint64_t of_p = p + static_cast<std::uint64_t>(begin),
                        of_q = q + static_cast<std::uint64_t>(begin),
                        count = static_cast<std::uint64_t>(end - begin);
    if (p_forward) add_places_once(text, windows, palindromes, of_p, of_q, count, add);
    if (q_forward) add_places_once(text, windows, palindromes, of_q, of_p, count, add);
  });
}

}  // namespace gsx
