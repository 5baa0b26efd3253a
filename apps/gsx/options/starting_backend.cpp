#include "options/starting_backend.hpp"

#include <unistd.h>

#include <system_error>

#include "device/registry.hpp"

namespace gsx::app {

bool may_start_gpu(const std::string& device) {
  if (device != "auto") return device != "cpu";
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

StartingBackend::StartingBackend(const DeviceOptions& device, bool beside, CpuPath path) {
  devices_named(device.device);  // throws for a name that means none
  if (beside && may_start_gpu(device.device)) {
    try {
      made_ = std::async(std::launch::async, [device, path] { return device.make(path); });
      return;
    } catch (const std::system_error&) {
      // No thread can be had.
    }
  }
  std::promise<std::unique_ptr<Backend>> made;
  made.set_value(device.make(path));
  made_ = made.get_future();
}

}  // namespace gsx::app
