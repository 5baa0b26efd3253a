// Where suffixes stand in the suffix array by their first two symbols.
#pragma once

#include <cstdint>
#include <vector>

#include "text/text_view.hpp"

namespace gsx {

/// Rows of suffixes by their first two symbols: those that begin with codes a, b fill
/// [starts[a << bits | b], starts[(a << bits | b) + 1]), and those that are a and a separator come
/// first among those of a, 0.
struct BigramBuckets {
  std::uint32_t bits = 0;  ///< a symbol
  std::vector<std::uint64_t> starts;

  /// Cost: one pass over the text, 0.2 ns a base, 1 ns a byte.
  static BigramBuckets of(const TextView& text, int threads);

  std::uint64_t start(std::uint64_t a, std::uint64_t b) const { return starts[a << bits | b]; }
  std::uint64_t end(std::uint64_t a, std::uint64_t b) const { return starts[(a << bits | b) + 1]; }
  /// Where the suffixes that begin with a end.
  std::uint64_t end(std::uint64_t a) const { return starts[(a + 1) << bits]; }
};

}  // namespace gsx
