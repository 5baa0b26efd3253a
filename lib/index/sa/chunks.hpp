// Hands over rows of a suffix array and codes of a BWT in chunks, in order, as
// search/exact/hits.hpp does for hits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>

#include "index/sa/suffix_array.hpp"

namespace gsx {

/// Some consecutive rows of a suffix array, at least one. Chunks follow one another without a gap.
/// Valid during the call.
struct RowChunk {
  std::uint64_t first = 0;                ///< number, in the suffix array, of the first row
  std::span<const std::uint32_t> narrow;  ///< the positions, if they have 32 bits
  std::span<const std::uint64_t> wide;    ///< the positions, if they have 64 bits

  std::uint64_t size() const { return narrow.size() + wide.size(); }
  /// The position in row first + i. Pre: i < size().
  std::uint64_t operator[](std::uint64_t i) const { return wide.empty() ? narrow[i] : wide[i]; }
  /// Calls visitor(positions) with a const pointer to 32-bit or 64-bit positions.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return wide.empty() ? visitor(narrow.data()) : visitor(wide.data());
  }
};

/// Some consecutive codes of a BWT, at least one. Chunks follow one another without a gap. Valid
/// during the call.
struct CodeChunk {
  std::uint64_t first = 0;  ///< number, in the BWT, of the first code
  std::span<const std::uint8_t> codes;
};

/// Take the chunks of a suffix array or of a BWT, in order, one call at a time. What they throw
/// ends the work and comes out of the call that was given the sink.
using RowSink = std::function<void(const RowChunk& chunk)>;
using CodeSink = std::function<void(const CodeChunk& chunk)>;

/// Gives all of `rows`, the first of which is row `first`, in chunks of at most `most`. Pre: most >
/// 0.
inline void give_in_pieces(const SuffixArray& rows, std::uint64_t first, std::uint64_t most,
                           const RowSink& sink) {
  rows.visit([&]<class Pos>(const Pos* positions) {
    for (std::uint64_t begin = 0; begin < rows.size(); begin += most) {
      const std::span<const Pos> some(positions + begin, std::min(most, rows.size() - begin));
      if constexpr (sizeof(Pos) == 4) {
        sink({first + begin, some, {}});
      } else {
        sink({first + begin, {}, some});
      }
    }
  });
}

/// Does the same for codes, the first of which belongs to row `first`.
inline void give_in_pieces(std::span<const std::uint8_t> codes, std::uint64_t first,
                           std::uint64_t most, const CodeSink& sink) {
  for (std::uint64_t begin = 0; begin < codes.size(); begin += most)
    sink(
        {first + begin, codes.subspan(begin, std::min<std::uint64_t>(most, codes.size() - begin))});
}

}  // namespace gsx
