// Arrays of b-bit integers whose words lie as a warp, or a vector, reads them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// Blocks of 1024 values. Lane l of 32 has every 32nd value of its block, from value l on, in a
/// stream of words of 32 bits, lowest bits first: its value k is in bits [k b, (k + 1) b). Word j
/// of lane l is at 32 j + l of the block, so 32 lanes that work side by side read and write 128
/// bytes in a row. The last block ends with its last word that has a bit of a value.
/// Example, b = 4, values 0 to 1023: word 0 of lane 0 has the values 0, 32, ... 224.
/// Memory: b bits per value, and 4 (b + 31) bytes once at most, where the last row is not full.
/// Source: Kaczmarski and Przymus, Fixed length lightweight compression for GPU revised (2017),
/// whose AFL this is, with words of 32 bits for values of any width.
struct InterleavedView {
  const std::uint32_t* words = nullptr;  ///< on a GPU, aligned to 128 bytes
  std::uint64_t size = 0;                ///< number of values
  std::uint32_t bits = 0;                ///< b, 1 to 64

  static constexpr std::uint32_t lanes = 32;
  static constexpr std::uint32_t word_bits = 32;
  static constexpr std::uint64_t block = std::uint64_t{lanes} * word_bits;  ///< values

  /// Value i. Pre: i < size. Cost: two loads, 128 bytes apart or of one word; three if b > 32.
  GSX_HD std::uint64_t operator[](std::uint64_t i) const {
    const std::uint32_t* lane = words + first_word(i) + i % lanes;
    const std::uint32_t bit = first_bit(i);
    if (bits <= word_bits) return field(lane, bit, bits);
    return field(lane, bit, word_bits) |
           std::uint64_t{field(lane, bit + word_bits, bits - word_bits)} << word_bits;
  }

  /// The first word of the block of value i.
  GSX_HD std::uint64_t first_word(std::uint64_t i) const { return i / block * lanes * bits; }
  /// The first bit of value i in its lane.
  GSX_HD std::uint32_t first_bit(std::uint64_t i) const {
    return static_cast<std::uint32_t>(i % block / lanes) * bits;
  }

  /// Bits [bit, bit + width) of a lane. Pre: width is 1 to 32.
  GSX_HD static std::uint32_t field(const std::uint32_t* lane, std::uint32_t bit,
                                    std::uint32_t width) {
    return joined(lane[bit / word_bits * lanes], lane[(bit + width - 1) / word_bits * lanes],
                  bit % word_bits) &
           low_mask32(width);
  }
  /// The 32 bits from bit `shift` of `low` on, the upper ones from `high`. If both are the same
  /// word, the bits up to its end are right.
  GSX_HD static std::uint32_t joined(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
    return low >> shift | high << 1 << (word_bits - 1 - shift);
  }

  /// Words that hold `size` values of `bits` bits.
  static constexpr std::uint64_t words_for(std::uint64_t size, std::uint32_t bits) {
    const std::uint64_t rows = (size % block + lanes - 1) / lanes;  // of the last block
    return lanes * (size / block * bits + (rows * bits + word_bits - 1) / word_bits);
  }
};
static_assert(std::is_trivially_copyable_v<InterleavedView>);

/// Writes the values of a lane, one after the other. Word is std::uint32_t, or a row of them: then
/// it writes the values of all lanes.
template <class Word>
class InterleavedWriter {
 public:
  /// `stride` is from a word to the next of this lane.
  GSX_HD InterleavedWriter(Word* out, std::uint32_t stride) : out_(out), stride_(stride) {}

  /// Appends a field of `width` bits, 1 to 32. A value of more bits is two fields: its lowest 32
  /// bits, and the others. Pre: what is above these bits is 0.
  GSX_HD void push(const Word& field, std::uint32_t width) {
    constexpr std::uint32_t most = InterleavedView::word_bits;
    pending_ |= field << filled_;
    filled_ += width;
    if (filled_ < most) return;
    *out_ = pending_;
    out_ += stride_;
    filled_ -= most;
    pending_ = field >> (width - filled_ - 1) >> 1;  // by up to 32
  }
  /// Writes the last word if it is partly filled.
  GSX_HD void finish() {
    if (filled_ > 0) *out_ = pending_;
    filled_ = 0;
  }

 private:
  Word* out_;
  std::uint32_t stride_;
  std::uint32_t filled_ = 0;
  Word pending_{};
};

}  // namespace gsx
