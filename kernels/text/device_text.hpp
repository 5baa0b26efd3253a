// A text in device memory.
#pragma once

#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Owns device copies of a text's symbols and segment tables; view() points at them.
class DeviceText {
 public:
  /// Copies from the host and waits. Throws ResourceError, DeviceError.
  DeviceText(const TextView& host, Transfer& transfer, DeviceStream stream);
  TextView view() const;

  /// Device bytes that the copies take.
  static std::uint64_t bytes(const TextView& host);

 private:
  TextView sizes_;
  DeviceBuffer<std::uint8_t> symbols_;
  DeviceBuffer<std::uint64_t> starts_;
  DeviceBuffer<std::uint64_t> first_;
};

}  // namespace gsx::cuda
