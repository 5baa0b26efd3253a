// Consecutive records of a text as a text of their own.
#pragma once

#include <cstdint>

#include "base/packed.hpp"
#include "text/text.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Segments [first, last) of a text. Owns a copy of their symbols unless they are the whole text.
class TextPart {
 public:
  /// Pre: first < last <= text.segments.count; `text` outlives this. Throws ResourceError. Cost:
  /// one pass over the part on `threads` threads.
  TextPart(const TextView& text, std::uint64_t first, std::uint64_t last, int threads);

  TextView view() const { return view_; }

 private:
  PackedArray symbols_;
  Segments segments_;
  TextView view_;
};

}  // namespace gsx
