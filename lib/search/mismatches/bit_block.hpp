// A block of text as bit planes: which positions mismatch which set of bases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/buffer.hpp"
#include "base/cpu_path.hpp"
#include "search/mismatches/base_set.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The sets of bases for which planes are made; bit s stands for set s.
using SetsUsed = std::uint16_t;

/// The planes of one block of a text at a time. Bit p of a set's plane tells whether the text at
/// the block's position p mismatches the set. Each plane is there eight times, shifted by 0 to 7
/// positions, so that the plane from any position on begins at a byte. All planes of the four bases
/// stay in a first-level cache. Memory: 83 KB, of which a block touches 4.6 KB per set used.
class BitBlock {
 public:
  static constexpr std::size_t positions = 4096;
  /// Positions of a pattern that can be compared with planes: those of a place at the end of the
  /// block lie beyond it.
  static constexpr std::size_t reach = 192;

  explicit BitBlock(const TextView& text);

  /// Where the plane of a set begins when it is read from `position` on. That of the set of all
  /// bases is empty. Pre: position < reach.
  static constexpr std::uint32_t plane(BaseSet set, std::size_t position) {
    return static_cast<std::uint32_t>(((set & base_sets::any) * 8 + position % 8) * stride +
                                      position / 8);
  }
  /// Makes the planes of the sets used for the block that begins at `begin`. Pre: begin is a
  /// multiple of `positions`, and in the text.
  void load(std::uint64_t begin, SetsUsed sets, CpuPath path);
  /// Sets excluded() to the positions where no pattern of so many symbols can begin, since a
  /// segment ends before the pattern would (beyond `reach`, that is not looked at). Pre: lengths
  /// do not decrease between two load()s.
  void exclude(std::uint64_t length);

  std::uint64_t begin() const { return begin_; }
  /// The text's positions in this block, rounded up to 256; those beyond the text are excluded.
  std::size_t size() const { return size_; }
  const std::uint8_t* planes() const { return planes_.data(); }
  const std::uint8_t* excluded() const { return excluded_.data(); }

  static constexpr std::size_t stride = 576;  ///< bytes of a plane; no power of two, for the caches
  static constexpr std::size_t words = (positions + reach) / 64;  ///< of a plane, filled
  static_assert(words * 8 + 32 <= stride);

  /// One bit per position, 32 in a number; some more than are filled, for wide loads.
  using Bits = std::array<std::uint32_t, words * 2 + 16>;

 private:
  bool mark_borders();

  TextView text_;
  std::uint64_t begin_ = 0;
  std::size_t size_ = 0;
  bool bordered_ = false;            ///< whether a border is in reach
  std::size_t excluded_length_ = 0;  ///< of the patterns that excluded_ is made for
  Bits lower_{};                     ///< of the codes
  Bits upper_{};
  Bits borders_{};  ///< separators, and what lies beyond the text
  std::array<std::uint8_t, positions / 8> excluded_{};
  Buffer<std::uint8_t> planes_;  ///< those of the 16 sets, then that of the borders
};

}  // namespace gsx
