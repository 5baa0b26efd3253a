// A back end that starts while something else is done.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "base/cpu_path.hpp"
#include "device/backend.hpp"
#include "options/options.hpp"

namespace gsx::app {

/// Whether a GPU may have to be started for this device (`--device`), which takes a while: it is
/// asked for, or gsx may choose one and a driver is loaded.
bool may_start_gpu(const std::string& device);

/// Starting a GPU takes as long as reading a gigabyte.
class StartingBackend {
 public:
  /// Nothing starts; get() must not be called.
  StartingBackend() = default;
  /// Starts a GPU in another thread if `beside`. Else, and where the system gives no thread, makes
  /// the back end at once, and throws what is wrong with it. What is done beside must end soon: an
  /// error of the device waits for it.
  StartingBackend(const DeviceOptions& device, bool beside, CpuPath path = best_cpu_path());

  /// Waits for the back end, and throws what is wrong with it. Call it once.
  std::unique_ptr<Backend> get() { return made_.get(); }

  /// Returns work(). If it throws, an error of the device comes first, as if it had been made
  /// before.
  template <class Work>
  auto meanwhile(const Work& work) {
    try {
      return work();
    } catch (...) {
      if (made_.valid()) made_.get();
      throw;
    }
  }

 private:
  std::future<std::unique_ptr<Backend>> made_;
};

}  // namespace gsx::app
