// A prefix set on the device.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"
#include "search/sets/prefix_set.hpp"

namespace gsx::cuda {

class DevicePrefixSet {
 public:
  DevicePrefixSet() = default;
  /// A copy of the tables of a set. Waits. Throws ResourceError, DeviceError.
  DevicePrefixSet(const PrefixSet& set, Transfer& transfer, DeviceStream stream);

  /// Bytes of device memory that the copy of a set takes.
  static std::uint64_t bytes(const PrefixSet& set) { return set.bytes(); }
  std::uint64_t bytes() const {
    return entries_.bytes() + starts_.bytes() + tails_.bytes() + tail_starts_.bytes() +
           indexes_.bytes();
  }

  /// Valid while this lives.
  const PrefixSetView& view() const { return view_; }
  /// Of each entry, the index of its sequence.
  const std::uint32_t* indexes() const { return indexes_.data(); }

 private:
  DeviceBuffer<PrefixEntry> entries_;
  DeviceBuffer<std::uint32_t> starts_;
  DeviceBuffer<std::uint64_t> tails_;
  DeviceBuffer<std::uint32_t> tail_starts_;
  DeviceBuffer<std::uint32_t> indexes_;
  PrefixSetView view_;
};

}  // namespace gsx::cuda
