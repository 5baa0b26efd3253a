// Bit-sliced scan on the device: looks for many patterns at each place of a text at once.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/device_buffer.hpp"
#include "scan/sliced_strands.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Places [begin, end) of a text; begin is a multiple of PlaceWindow::places.
struct PlaceRange {
  std::uint64_t begin;
  std::uint64_t end;
};

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

/// Strands of patterns on the device.
class DeviceStrands {
 public:
  /// Copies from the host and waits. Throws ResourceError, DeviceError.
  DeviceStrands(const SlicedStrands& host, DeviceStream stream);

  const SlicedStrand* strands() const { return strands_.data(); }
  const SlicedTile* tiles() const { return tiles_.data(); }
  std::uint32_t tile_count() const { return static_cast<std::uint32_t>(tiles_.size()); }
  const PositionMasks* masks() const { return masks_.data(); }
  const BaseSet* rest() const { return rest_.data(); }

 private:
  DeviceBuffer<SlicedStrand> strands_;
  DeviceBuffer<SlicedTile> tiles_;
  DeviceBuffer<PositionMasks> masks_;
  DeviceBuffer<BaseSet> rest_;
};

/// Where a scan puts what it finds, all on the device.
struct ScanResult {
  std::uint64_t* counts;                      ///< [pattern][strand][mismatches], added to
  std::uint64_t* hits = nullptr;              ///< room for hits as HitRecord, in no order; or null
  std::uint64_t room = 0;                     ///< of hits
  std::uint64_t* hit_count = nullptr;         ///< of all hits, also those that there is no room for
  const std::uint32_t* fewer_than = nullptr;  ///< mismatches of each pattern's hits; null: all
};

/// Adds the places of the strands with at most `most` mismatches. Asynchronous. Throws DeviceError.
/// Cost: about 6.5 operations per strand, position and 32 places.
void scan_async(const TextView& d_text, const PlaceRange& range, const DeviceStrands& strands,
                std::uint32_t most, const ScanResult& result, DeviceStream stream);

/// Sorts the first `count` hits. Asynchronous. Throws ResourceError, DeviceError.
void sort_records_async(DeviceBuffer<std::uint64_t>& records, std::uint64_t count,
                        DeviceStream stream);

}  // namespace gsx::cuda
