// Which rows of the suffix array an index samples.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"

namespace gsx {

/// Samples one row in each block of `rate` rows; a hash of the block number gives its offset in the
/// block. Arithmetic alone tells which rows are sampled, and sample b is that of block b.
///
/// A walk of LF steps meets a sampled row with probability 1 / rate at every step, whatever the
/// text. Rows at a fixed stride, or at multiples of an irrational number, align with equal copies,
/// tandem repeats or Christoffel words; walks then cross whole records. A random row takes rate - 1
/// steps on average; the longest of n walks takes about rate * ln n.
class RowSampling {
 public:
  constexpr RowSampling() = default;
  /// Pre: 1 <= rate <= most_rate.
  GSX_HD explicit constexpr RowSampling(std::uint32_t rate)
      : rate_(rate), reciprocal_(((std::uint64_t{1} << 63) - 1) / rate + 1) {}

  static constexpr std::uint32_t most_rate = 1u << 20;
  /// Rows must be below this, so that multiplying by the reciprocal divides exactly.
  static constexpr std::uint64_t most_rows = std::uint64_t{1} << 43;

  GSX_HD constexpr std::uint32_t rate() const { return rate_; }

  /// The block of a row; also the number of the row's sample if it is sampled.
  GSX_HD std::uint64_t block(std::uint64_t row) const {
    return multiply_high64(row << 1, reciprocal_);
  }
  /// The sampled row of a block.
  GSX_HD std::uint64_t row(std::uint64_t block) const { return block * rate_ + offset(block); }
  GSX_HD bool keeps(std::uint64_t row) const { return row == this->row(block(row)); }
  /// Number of sampled rows below `end`; also the number of the first sample from `end` on.
  GSX_HD std::uint64_t count(std::uint64_t end) const {
    const std::uint64_t last = block(end);
    return last + (row(last) < end ? 1 : 0);
  }

 private:
  /// One multiplication would spread the offsets as evenly as the golden ratio does, and some words
  /// align with that. The second makes the offsets of neighbouring blocks unrelated.
  GSX_HD std::uint32_t offset(std::uint64_t block) const {
    std::uint32_t x =
        static_cast<std::uint32_t>(block) ^ static_cast<std::uint32_t>(block >> 32) * 0x9E3779B9u;
    x *= 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA6Bu;
    return static_cast<std::uint32_t>(std::uint64_t{x} * rate_ >> 32);
  }

  std::uint32_t rate_ = 1;
  std::uint64_t reciprocal_ = std::uint64_t{1} << 63;  ///< 2^63 / rate, rounded up
};
static_assert(std::is_trivially_copyable_v<RowSampling>);

}  // namespace gsx
