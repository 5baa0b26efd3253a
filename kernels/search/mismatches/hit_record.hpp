// A hit with the number of its pattern, as one number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "search/exact/hits.hpp"

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
  GSX_HD std::uint32_t mismatches() const {
    return static_cast<std::uint32_t>(value_ & ((1u << mismatch_bits) - 1));
  }
  GSX_HD Hit hit() const {
    const std::uint64_t position =
        value_ >> (1 + mismatch_bits) & ((std::uint64_t{1} << position_bits) - 1);
    return {position, (value_ >> mismatch_bits & 1) != 0, mismatches()};
  }

 private:
  std::uint64_t value_;
};

/// Sorts the first `count` hits, of numbers below `patterns`, and drops the others. Takes another
/// array of the size of `records`, and a little. Asynchronous. Throws ResourceError, DeviceError.
void sort_records_async(DeviceBuffer<std::uint64_t>& records, std::uint64_t count,
                        std::uint64_t patterns, DeviceStream stream);

/// The same, of numbers below `patterns`, with memory of the caller's: d_others has room for as
/// many, and the workspace sort_records_bytes(count, patterns) bytes. Returns which of the two
/// arrays holds the sorted hits. Numbers with all bits set come last. Throws DeviceError.
std::size_t sort_records_bytes(std::uint64_t count, std::uint64_t patterns);
std::uint64_t* sort_records_async(std::uint64_t* d_records, std::uint64_t* d_others,
                                  std::uint64_t count, std::uint64_t patterns, void* d_workspace,
                                  std::size_t workspace_bytes, cudaStream_t stream);

}  // namespace gsx::cuda
