// Which GPU the calling thread works on.
#pragma once

namespace gsx::cuda {

/// Makes a GPU the current one of this thread while it lives, and then the one that was current
/// before, if any was: no GPU that is not asked for gets a context. Throws DeviceError.
class [[nodiscard]] CurrentDevice {
 public:
  explicit CurrentDevice(int device);
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
};

/// The current GPU of this thread, by number: the first unless the thread has chosen another.
/// Throws DeviceError.
int current_device();

}  // namespace gsx::cuda
