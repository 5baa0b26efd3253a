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

/// While a CurrentDevice of this thread lives: gives the caller's current device back for as long
/// as a function of the caller's runs.
class [[nodiscard]] CallersDevice {
 public:
  CallersDevice();
  ~CallersDevice();
  CallersDevice(const CallersDevice&) = delete;
  CallersDevice& operator=(const CallersDevice&) = delete;

 private:
  void* context_ = nullptr;
};

/// The current GPU of this thread, by number: the first unless the thread has chosen another.
/// Throws DeviceError.
int current_device();

}  // namespace gsx::cuda
