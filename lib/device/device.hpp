// A processor that does the work of a run.
#pragma once

#include <cstdint>
#include <string>

namespace gsx {

class Device {
 public:
  virtual ~Device() = default;
  /// For the log: "cpu", "cuda:0 (NVIDIA ...)".
  virtual std::string name() const = 0;
  /// Most device memory that was in use at a time since the program began; 0 on the CPU.
  virtual std::uint64_t peak_device_bytes() const { return 0; }
};

}  // namespace gsx
