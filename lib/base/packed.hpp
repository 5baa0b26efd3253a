// Arrays of b-bit integers, packed in one stream of bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// Value i occupies bits [i * b, (i + 1) * b) of a stream whose first bit is the highest bit of
/// byte 0. So consecutive values compare like one big-endian number: a load of 8 bytes of a text
/// gives the next 57/b symbols, ready to compare.
/// Example, b = 2, values 0 1 2 3 0: bytes 0b00011011 0b00......
/// Memory: exactly b bits per value, and `slack` bytes once.
struct PackedView {
  const std::uint8_t* bytes = nullptr;
  std::uint64_t size = 0;  ///< number of values
  std::uint32_t bits = 0;  ///< b, 1 to 64

  /// Readable bytes after the last value, so that any load of 8 or 16 bytes is legal.
  static constexpr std::uint64_t slack = 16;
  /// Bits that any window holds: the widest value that one load of 8 bytes gives.
  static constexpr std::uint32_t max_bits = 57;

  /// Value i. Pre: i < size. Cost: one load of 8 bytes, and one of a byte if b > 57.
  GSX_HD std::uint64_t operator[](std::uint64_t i) const {
    return (bits <= max_bits ? window(i) : wide_window(i)) >> (64 - bits);
  }

  /// The stream from value i on, left-aligned in 64 bits. At least 57 of them are valid (58 for
  /// even b, 64 for b = 8). What follows the last value is unspecified. Pre: i <= size.
  GSX_HD std::uint64_t window(std::uint64_t i) const {
    const std::uint64_t bit = i * bits;
    return load_big_endian64(bytes + (bit >> 3)) << (bit & 7);
  }

  /// A window all of whose 64 bits are valid. Pre: i < size. Cost: one load more.
  GSX_HD std::uint64_t wide_window(std::uint64_t i) const {
    const std::uint64_t bit = i * bits;
    return window(i) | std::uint64_t{bytes[(bit >> 3) + 8]} >> (8 - (bit & 7));
  }

  /// Bytes that hold `size` values of `bits` bits, slack included.
  static constexpr std::uint64_t bytes_for(std::uint64_t size, std::uint32_t bits) {
    return (size * bits + 7) / 8 + slack;
  }
};
static_assert(std::is_trivially_copyable_v<PackedView>);

/// Writes consecutive values of a packed stream that starts at a byte boundary.
class PackedWriter {
 public:
  GSX_HD PackedWriter(std::uint8_t* out, std::uint32_t bits) : out_(out), bits_(bits) {}

  /// Pre: value < 2^bits.
  GSX_HD void push(std::uint64_t value) {
    if (bits_ <= PackedView::max_bits) return push(value, bits_);
    push(value >> 32, bits_ - 32);  // up to 7 bits wait: these fit beside them
    push(value & 0xFFFFFFFF, 32);
  }
  /// Writes `count` values that fill the lowest bits of `values`, the first one highest. Pre: they
  /// have at most 56 bits, and no others are set.
  GSX_HD void push_several(std::uint64_t values, std::uint32_t count) {
    push(values, count * bits_);
  }
  /// Writes the last byte if it is partly filled, padded with zero bits.
  GSX_HD void finish() {
    if (filled_ > 0) *out_++ = static_cast<std::uint8_t>(pending_ << (8 - filled_));
    filled_ = 0;
  }

 private:
  GSX_HD void push(std::uint64_t value, std::uint32_t bits) {
    pending_ = (pending_ << bits) | value;
    filled_ += bits;
    while (filled_ >= 8) {
      filled_ -= 8;
      *out_++ = static_cast<std::uint8_t>(pending_ >> filled_);
    }
  }

  std::uint8_t* out_;
  std::uint32_t bits_;
  std::uint32_t filled_ = 0;
  std::uint64_t pending_ = 0;
};

/// Owner of a packed array.
class PackedArray {
 public:
  PackedArray() = default;
  /// All values zero. Throws ResourceError that names `what`.
  PackedArray(std::uint64_t size, std::uint32_t bits, const char* what)
      : bytes_(PackedView::bytes_for(size, bits), what), size_(size), bits_(bits) {
    std::memset(bytes_.data(), 0, bytes_.size());
  }
  /// Takes `size` values that `bytes` already holds, and sets the slack after them to zero. `bytes`
  /// may be larger. Pre: it has at least PackedView::bytes_for(size, bits) bytes.
  PackedArray(Buffer<std::uint8_t> bytes, std::uint64_t size, std::uint32_t bits)
      : bytes_(std::move(bytes)), size_(size), bits_(bits) {
    std::memset(bytes_.data() + PackedView::bytes_for(size, bits) - PackedView::slack, 0,
                PackedView::slack);
  }

  PackedView view() const { return {bytes_.data(), size_, bits_}; }
  std::uint8_t* data() { return bytes_.data(); }
  std::span<const std::uint8_t> bytes() const {
    return bytes_.size() == 0 ? std::span<const std::uint8_t>()
                              : bytes_.span().first(PackedView::bytes_for(size_, bits_));
  }
  std::uint64_t size() const { return size_; }
  std::uint32_t bits() const { return bits_; }

  /// This many values form whole bytes for any b, so different threads may write slices that are
  /// cut at multiples of it.
  static constexpr std::uint64_t slice_unit = 8;
  /// A writer that starts at value `first`. Pre: first is a multiple of slice_unit.
  PackedWriter writer(std::uint64_t first) { return {data() + first * bits_ / 8, bits_}; }

 private:
  Buffer<std::uint8_t> bytes_;
  std::uint64_t size_ = 0;
  std::uint32_t bits_ = 0;
};

}  // namespace gsx
