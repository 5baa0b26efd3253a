#include "backend/registry.hpp"

#include <charconv>

#include "backend/fallback.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace gsx {

std::unique_ptr<Backend> make_backend(const std::string& device, std::uint64_t gpu_memory) {
  if (device == "cpu") return make_cpu_backend();
  if (device == "auto") {
    for (const std::string& line : describe_cuda_devices())
      log().debug("found {}", line);
    try {
      return make_fallback_backend(make_cuda_backend(0, gpu_memory), make_cpu_backend());
    } catch (const DeviceError& error) {
      log().info("using the CPU: {}", error.what());
      return make_cpu_backend();
    }
  }
  if (device == "cuda") return make_cuda_backend(0, gpu_memory);
  const std::string prefix = "cuda:";
  if (device.starts_with(prefix)) {
    const char* begin = device.data() + prefix.size();
    const char* end = device.data() + device.size();
    int number = 0;
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error == std::errc{} && stop == end && begin != end && number >= 0) {
      return make_cuda_backend(number, gpu_memory);
    }
  }
  throw UsageError("unknown device '" + printable(device) + "': use auto, cpu, cuda or cuda:N");
}

}  // namespace gsx
