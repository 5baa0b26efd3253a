// Where the walks through a BWT are cut, for CPU and GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// A number of 32 bits that looks random.
GSX_HD std::uint32_t hash_of(std::uint32_t number) {
  std::uint32_t hash = number * 0x9E3779B1u;
  hash = (hash ^ hash >> 15) * 0x85EBCA77u;
  return hash ^ hash >> 16;
}

/// One row of every window of 2^shift rows, chosen by a hash of the window, so that neither a
/// table nor a search tells whether a row is one. Were they evenly spaced, the walk through one
/// copy of a repeat might never meet any of them.
///
/// The first rows, one per segment, are the separators': no LF step leads there, and the walk of a
/// segment begins there. Walks begin at splitters, too, and end at the next one. So there are two
/// kinds of pieces: number k < segments begins at row k, the others at the splitter of window
/// number - segments.
struct SplitterRows {
  std::uint64_t rows = 0;
  std::uint64_t segments = 0;  ///< windows begin behind their rows
  std::uint32_t shift = 0;     ///< 1 to 31

  GSX_HD std::uint64_t windows() const {
    return (rows - segments + (std::uint64_t{1} << shift) - 1) >> shift;
  }
  GSX_HD std::uint64_t pieces() const { return segments + windows(); }

  /// The row where a piece begins; `rows` or more if the last window is cut off before it. Pre:
  /// piece < pieces().
  GSX_HD std::uint64_t row_of(std::uint64_t piece) const {
    if (piece < segments) return piece;
    const std::uint64_t window = piece - segments;
    return segments + (window << shift) + place_in(window);
  }
  /// Whether the walk of a piece ends at `row`; if so, sets `piece` to the one that begins there.
  /// Pre: segments <= row < rows.
  template <class Pos>
  GSX_HD bool ends_at(Pos row, Pos& piece) const {
    const auto m = static_cast<Pos>(segments);
    const Pos window = (row - m) >> shift;
    if (((row - m) & static_cast<Pos>((std::uint64_t{1} << shift) - 1)) != place_in(window)) {
      return false;
    }
    piece = m + window;
    return true;
  }

 private:
  /// A hash of the window, below 2^shift.
  template <class Pos>
  GSX_HD std::uint32_t place_in(Pos window) const {
    return hash_of(static_cast<std::uint32_t>(window)) >> (32 - shift);
  }
};
static_assert(std::is_trivially_copyable_v<SplitterRows>);

/// What the walk of a piece has found. A successor below the number of segments is no piece but
/// the end of a segment: a separator's number, counted by rows.
template <class Pos>
struct WalkedPiece {
  Pos length;  ///< symbols from its first row to the next splitter or the start of a segment
  Pos next;    ///< the piece that begins there
};

}  // namespace gsx
