// Which GPU the calling thread works on.
#pragma once

#include <new>

namespace gsx::cuda {

/// Makes a GPU the current one of this thread while it lives, and then the one that was current
/// before, if any was: no GPU that is not asked for gets a context.
class [[nodiscard]] CurrentDevice {
 public:
  /// Throws DeviceError.
  explicit CurrentDevice(int device);
  /// For destructors: where it cannot be done, such as in a process that is about to end, what
  /// follows can do no harm.
  CurrentDevice(int device, std::nothrow_t) noexcept;
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  bool pushed_ = true;
};

/// The current GPU of this thread, by number: the first unless the thread has chosen another.
/// Throws DeviceError.
int current_device();

}  // namespace gsx::cuda
