// Texts that hold something.
#pragma once

#include "base/error.hpp"
#include "text/text.hpp"

namespace gsx {

/// Throws UsageError for a text that was never made, or was moved away.
inline void require_text(const Text& text) {
  const TextView view = text.view();
  if (view.symbols.bytes == nullptr || view.segments.count == 0) {
    throw UsageError("the text is empty: it was never made, or has been moved");
  }
}

}  // namespace gsx
