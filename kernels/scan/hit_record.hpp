// A hit with the number of its pattern, as one number.
#pragma once

#include <cstdint>

#include "kernels/runtime/device_buffer.hpp"
#include "search/hits.hpp"

namespace gsx::cuda {

/// A hit with the number of its pattern, as a number that sorts by pattern and in output order.
class HitRecord {
 public:
  static constexpr int mismatch_bits = 8, position_bits = 39;
  /// Patterns that can be numbered.
  static constexpr std::uint32_t most_patterns = 1u << (64 - mismatch_bits - 1 - position_bits);

  GSX_HD explicit HitRecord(std::uint64_t value) : value_(value) {}
  GSX_HD HitRecord(std::uint32_t pattern, std::uint64_t position, bool reverse,
                   std::uint32_t mismatches)
      : value_(std::uint64_t{pattern} << (position_bits + 1 + mismatch_bits) |
               position << (1 + mismatch_bits) | (reverse ? 1u : 0u) << mismatch_bits |
               mismatches) {}
  GSX_HD std::uint64_t value() const { return value_; }
  std::uint32_t pattern() const {
    return static_cast<std::uint32_t>(value_ >> (position_bits + 1 + mismatch_bits));
  }
  Hit hit() const {
    const std::uint64_t position =
        value_ >> (1 + mismatch_bits) & ((std::uint64_t{1} << position_bits) - 1);
    return {position, (value_ >> mismatch_bits & 1) != 0,
            static_cast<std::uint32_t>(value_ & ((1u << mismatch_bits) - 1))};
  }

 private:
  std::uint64_t value_;
};

/// Sorts the first `count` hits. Asynchronous. Throws ResourceError, DeviceError.
void sort_records_async(DeviceBuffer<std::uint64_t>& records, std::uint64_t count,
                        DeviceStream stream);

}  // namespace gsx::cuda
