// The blocks that rank and select read, for sequences of four digits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// 96 digits and the counts before them, in 32 bytes: one sector of GPU memory.
///
/// counts[d]: the lower 15 bits are the number of digits d between the start of the superblock and
/// this block. Bit 15 of counts[0] says whether the block has holes (see QuadView).
/// planes[k]: digits 32k .. 32k + 31. Bit i of the lower half is the low bit of digit 32k + i, bit
/// i of the upper half its high bit.
/// Memory: 32 bytes / 96 digits = 2.667 bits per digit, 33 % above the digits themselves, plus 32
/// bytes per superblock of 24,576 digits (0.01 bits per digit).
/// Example: digits 0 1 2 3 at the start of a block give planes[0] = 0x0000000C'0000000A.
struct alignas(32) QuadBlock {
  static constexpr std::uint32_t digits = 96;
  static constexpr std::uint32_t digits_per_plane = 32;
  static constexpr std::uint16_t count_mask = 0x7FFF;
  static constexpr std::uint16_t hole_flag = 0x8000;

  std::uint16_t counts[4];
  std::uint64_t planes[3];

  /// Digits d between the start of the superblock and this block. No address depends on d, so that
  /// a block in registers stays there. Pre: d < 4.
  GSX_HD std::uint32_t before(std::uint32_t d) const {
    std::uint64_t word;
    std::memcpy(&word, counts, sizeof word);
    return static_cast<std::uint32_t>(word >> (16 * d)) & count_mask;
  }
  GSX_HD bool has_holes() const { return (counts[0] & hole_flag) != 0; }
};
static_assert(sizeof(QuadBlock) == 32 && std::is_trivially_copyable_v<QuadBlock>);

/// Marks where a block has digit d: digit 64w + i is bit i of words[w]. Several counts can use it.
struct DigitMatches {
  std::uint64_t words[2];

  GSX_HD DigitMatches(const QuadBlock& block, std::uint32_t d) {
    const std::uint32_t low = (d & 1) - 1, high = (d >> 1) - 1;
    const std::uint64_t flip = std::uint64_t{high} << 32 | low;
    const std::uint64_t a = block.planes[0] ^ flip;
    const std::uint64_t b = block.planes[1] ^ flip;
    const std::uint64_t c = block.planes[2] ^ flip;
    words[0] = (a & a >> 32) | (b & b << 32);
    words[1] = c & c >> 32;
  }
  /// Matches among the first `within` digits. Pre: within <= 96.
  GSX_HD std::uint32_t count(std::uint32_t within) const {
    const std::uint32_t behind = within < 64 ? 0 : within - 64;
    const std::uint64_t whole = within < 64 ? 0 : ~std::uint64_t{0};
    return popcount64(words[0] & (((std::uint64_t{1} << (within & 63)) - 1) | whole)) +
           popcount64(words[1] & ((std::uint64_t{1} << behind) - 1));
  }
  /// Whether digit i is a match. Pre: i < 96.
  GSX_HD bool has(std::uint32_t i) const {
    return ((i < 64 ? words[0] : words[1]) >> (i & 63) & 1) != 0;
  }
  /// Index of the match with `left` matches before it; 96 if there are not that many.
  GSX_HD std::uint32_t select(std::uint32_t left) const {
    const std::uint32_t in_first = popcount64(words[0]);
    const bool in_second = left >= in_first;
    std::uint64_t word = in_second ? words[1] : words[0];
    if (in_second) left -= in_first;
    std::uint32_t place = in_second ? 64 : 0;
    if (left >= popcount64(word)) return QuadBlock::digits;
    for (std::uint32_t half = 32; half > 0; half /= 2) {  // keep the half that has it
      const std::uint32_t lower = popcount64(word & ((std::uint64_t{1} << half) - 1));
      const bool upper = left >= lower;
      if (upper) left -= lower;
      word = upper ? word >> half : word;
      place += upper ? half : 0;
    }
    return place;
  }
};

/// Counts before a superblock. They include the base of each digit, which is the number of smaller
/// digits in the whole sequence. So rank plus base, the index to which a stable sort by digit moves
/// the next d, needs no further addition.
struct alignas(32) QuadSuperblock {
  static constexpr std::uint32_t blocks = 256;
  static constexpr std::uint32_t digits = blocks * QuadBlock::digits;
  static_assert(digits <= QuadBlock::count_mask);

  std::uint64_t counts[4];
};
static_assert(sizeof(QuadSuperblock) == 32);

}  // namespace gsx
