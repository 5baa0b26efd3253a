// A range of places in a text.
#pragma once

#include <cstdint>

namespace gsx {

/// Starts of places in a text.
struct PlaceRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

}  // namespace gsx
