// The LZ77 phrases of a text.
#pragma once

#include <algorithm>
#include <cstdint>

#include "arrays/minima/growing_array.hpp"
#include "arrays/minima/no_position.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A phrase begins at text position `start` and is a copy of what begins at `source`, an earlier
/// position; its end may overlap its own beginning. A literal has no source (no_position) and one
/// symbol.
template <class Pos>
struct TextPhrase {
  Pos start;
  Pos source;

  bool is_copy() const { return source != no_position<Pos>; }
};

/// The phrases of a text, in order: each symbol is in one phrase, and no phrase reaches beyond its
/// segment.
template <class Pos>
struct TextPhrases {
  GrowingArray<TextPhrase<Pos>> phrases;

  std::uint64_t size() const { return phrases.size(); }
  /// Length of phrase k, in a text with these segments. Cost: a look-up of its segment.
  std::uint64_t length(std::uint64_t k, const SegmentsView& segments) const {
    const std::uint64_t end = segments.separator_from(phrases[k].start);
    return (k + 1 == size() ? end : std::min<std::uint64_t>(end, phrases[k + 1].start)) -
           phrases[k].start;
  }
  /// The phrase that holds position p. Pre: one does.
  std::uint64_t phrase_at(std::uint64_t p) const {
    std::uint64_t low = 0, high = size();
    while (low + 1 < high) {
      const std::uint64_t middle = (low + high) / 2;
      (phrases[middle].start <= p ? low : high) = middle;
    }
    return low;
  }
};

}  // namespace gsx
