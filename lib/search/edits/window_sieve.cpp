#include "search/edits/window_sieve.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/compiled_for.hpp"
#include "search/edits/band_check.hpp"
#include "search/edits/stripe_words.hpp"
#include "text/packed_bases.hpp"

namespace gsx {
namespace {

constexpr std::size_t windows_at_once = 8;

/// Symbols that a lane reads at a time.
constexpr std::uint32_t symbols_at_once = 28;

constexpr std::uint64_t widest = 64;

/// Eight windows that are computed together.
struct EightWindows {
  PackedView symbols;
  std::array<std::uint64_t, 4> masks;  ///< of A, C, G and T
  std::uint32_t length;
  std::uint32_t edits;
  bool reverse;
  std::uint64_t columns;
  std::uint64_t looked_at;  ///< so many of the last columns may have an end
  std::array<std::uint64_t, windows_at_once> starts;  ///< text position of the first symbol
};

/// The symbols of a strand from column `column` on, the first in the highest bits.
GSX_HD std::uint64_t strand_symbols(const EightWindows& eight, std::size_t lane,
                                    std::uint64_t column) {
  if (!eight.reverse) return eight.symbols.window(eight.starts[lane] + column);
  const std::uint64_t last = eight.starts[lane] - column;
  const std::uint64_t bases =
      eight.symbols.window(last + 1 - symbols_at_once) >> (64 - 2 * symbols_at_once);
  return reverse_complement(bases, symbols_at_once) << (64 - 2 * symbols_at_once);
}

/// Bit i tells whether window i may have an end.
GSX_HD std::uint32_t may_have_ends(const EightWindows& eight) {
  using Word = std::uint64_t __attribute__((vector_size(8 * windows_at_once)));
  const auto [a, c, g, t] = eight.masks;
  const std::uint64_t ac = a ^ c, ag = a ^ g, acgt = a ^ c ^ g ^ t;
  Word plus = ~Word{}, minus{}, symbols{}, found{};
  Word score = Word{} + eight.length;
  for (std::uint64_t column = 0; column < eight.columns; ++column) {
    if (column % symbols_at_once == 0)
      for (std::size_t lane = 0; lane < windows_at_once; ++lane)
        symbols[lane] = strand_symbols(eight, lane, column);
    const Word high = Word{} - (symbols >> 63), low = Word{} - (symbols >> 62 & 1);
    symbols <<= 2;
    const Word equal = (low & ac) ^ (high & ag) ^ (low & high & acgt) ^ a;
    // As ColumnWord::step().
    const Word diagonal = (((equal & plus) + plus) ^ plus) | equal | minus;
    const Word row_plus = minus | ~(diagonal | plus), row_minus = plus & diagonal;
    score += (row_plus >> (eight.length - 1) & 1) - (row_minus >> (eight.length - 1) & 1);
    const Word below = row_plus << 1;
    plus = row_minus << 1 | ~(diagonal | below);
    minus = diagonal & below;
    // The difference is negative, and its highest bit set, where the score is at most `edits`.
    if (column + eight.looked_at >= eight.columns) found |= score - eight.edits - 1;
  }
  std::uint32_t bits = 0;
  for (std::size_t lane = 0; lane < windows_at_once; ++lane)
    bits |= static_cast<std::uint32_t>(found[lane] >> 63) << lane;
  return bits;
}

/// Drops windows of a short pattern.
void sieve_by_eights(const TextView& text, const PatternMasksView& pattern, bool reverse,
                     std::uint32_t edits, CpuPath path, std::vector<EndWindow>& windows) {
  const auto check = compiled_for<may_have_ends>(path);
  const std::uint64_t reach = std::uint64_t{pattern.length} + edits;
  EightWindows eight{text.symbols, {}, pattern.length, edits, reverse, 0, 0, {}};
  for (std::uint32_t code = 0; code < 4; ++code)
    eight.masks[code] = *pattern.of(code);
  const auto is_kept = [&](const EndWindow& window) {
    if (window.end - window.begin > widest) return true;
    if (reverse) {
      return window.begin < symbols_at_once || window.begin + reach + widest > text.length();
    }
    return window.end < reach + widest;
  };
  std::size_t kept = 0;
  std::array<EndWindow, windows_at_once> some;
  std::size_t count = 0;
  const auto check_some = [&] {
    if (count == 0) return;
    eight.looked_at = 0;
    for (std::size_t i = 0; i < count; ++i)
      eight.looked_at = std::max(eight.looked_at, some[i].end - some[i].begin);
    eight.columns = reach + eight.looked_at;
    for (std::size_t i = 0; i < windows_at_once; ++i) {
      const EndWindow& window = some[std::min(i, count - 1)];
      eight.starts[i] = reverse ? window.begin + eight.columns - 1 : window.end - eight.columns;
    }
    const std::uint32_t found = check(eight);
    for (std::size_t i = 0; i < count; ++i)
      if ((found >> i & 1) != 0) windows[kept++] = some[i];
    count = 0;
  };
  for (const EndWindow window : windows) {
    if (is_kept(window)) {
      check_some();
      windows[kept++] = window;
      continue;
    }
    some[count++] = window;
    if (count == windows_at_once) check_some();
  }
  check_some();
  windows.resize(kept);
}

/// Whether has_end_in() drops the window.
bool is_dropped(const TextView& text, const PatternMasksView& pattern, bool reverse,
                std::uint32_t edits, const EndWindow& window) {
  const SegmentsView& segments = text.segments;
  const std::uint64_t segment = segments.segment_at(window.begin);
  const std::uint64_t begin = segments.starts[segment], end = segments.starts[segment + 1] - 1;
  if (window.end > end) return false;
  const StrandText strand{text.symbols, begin, end, reverse};
  const EndRange range{strand.place_behind(reverse ? window.end - 1 : window.begin),
                       strand.place_behind(reverse ? window.begin : window.end - 1) + 1};
  return has_band(range, edits) && !has_end_in(strand, pattern, range, edits);
}

}  // namespace

void sieve_windows(const EditTarget& target, const PatternMasksView& pattern, bool reverse,
                   std::uint32_t edits, CpuPath path, std::vector<EndWindow>& windows) {
  if (pattern.words == 1 && target.dna) {
    sieve_by_eights(target.text, pattern, reverse, edits, path, windows);
  } else {
    std::erase_if(windows, [&](const EndWindow& window) {
      return is_dropped(target.text, pattern, reverse, edits, window);
    });
  }
  merge_windows(windows, std::uint64_t{pattern.length} + edits);
}

}  // namespace gsx
