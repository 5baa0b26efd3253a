// The k-mers of a target at every few places, on the device.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "search/matches/pair_table.hpp"

namespace gsx::cuda {

/// Owns the table that PairTable makes, but for the order within a slot.
class DevicePairTable {
 public:
  /// Cost: two passes over the k-mers. Waits for the stream. Throws ResourceError, DeviceError.
  DevicePairTable(const TextView& d_text, const PairSampling& sampling, DeviceStream stream);
  PairTableView view() const;
  std::uint64_t bytes() const { return starts_.bytes() + samples_.bytes(); }

 private:
  PairTableView shape_;
  DeviceBuffer<std::uint32_t> starts_;
  DeviceBuffer<std::uint32_t> samples_;
};

}  // namespace gsx::cuda
