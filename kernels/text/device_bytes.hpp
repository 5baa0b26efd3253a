// Bytes in device memory as a text.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/base/device_buffer.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// A text of one segment over the smallest alphabet that has all of the bytes.
class DeviceBytes {
 public:
  /// Waits for the stream. Throws UsageError for more than 255 different values, ResourceError,
  /// DeviceError. Cost: two passes.
  DeviceBytes(const std::uint8_t* d_bytes, std::uint64_t size, DeviceStream stream);
  TextView view() const;

  /// Replaces codes by their bytes. Asynchronous.
  void decode_async(const std::uint8_t* d_codes, std::uint64_t size, std::uint8_t* d_bytes,
                    DeviceStream stream) const;

 private:
  std::uint64_t size_;
  std::uint32_t sigma_ = 0;
  std::uint32_t bits_ = 0;
  std::uint32_t shift_ = 0;
  DeviceBuffer<std::uint8_t> symbols_;
  DeviceBuffer<std::uint64_t> starts_;
  DeviceBuffer<std::uint64_t> first_;
  DeviceBuffer<std::uint8_t> bytes_of_codes_;
};

}  // namespace gsx::cuda
