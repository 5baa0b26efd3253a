#include "device/registry.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/messages.hpp"
#include "device/fallback.hpp"

namespace gsx {
namespace {

/// The GPUs of "cuda:all" or "cuda:N,M,..."; nothing when the name is not of this form.
std::optional<std::vector<int>> cuda_numbers(const std::string& device) {
  const std::string prefix = "cuda:";
  if (!device.starts_with(prefix)) return std::nullopt;
  std::vector<int> numbers;
  if (device == "cuda:all") {
    const auto count = static_cast<int>(describe_cuda_devices().size());
    for (int number = 0; number < std::max(count, 1); ++number)  // GPU 0 says why there is none
      numbers.push_back(number);
    return numbers;
  }
  const char* at = device.data() + prefix.size();
  const char* const end = device.data() + device.size();
  for (;; ++at) {
    int number = 0;
    const auto [stop, error] = std::from_chars(at, end, number);
    const bool padded = stop - at > 1 && *at == '0';
    if (error != std::errc{} || number < 0 || padded || std::ranges::count(numbers, number) != 0) {
      return std::nullopt;
    }
    numbers.push_back(number);
    if (stop == end) return numbers;
    if (*stop != ',') return std::nullopt;
    at = stop;
  }
}

}  // namespace

DeviceChoice devices_named(const std::string& device) {
  if (device == "cpu") return {};
  if (device == "auto") return {.gpus = {0}, .or_cpu = true};
  if (device == "cuda") return {.gpus = {0}};
  if (auto numbers = cuda_numbers(device)) return {.gpus = std::move(*numbers)};
  throw UsageError("unknown device '" + printable(device) +
                   "': use auto, cpu, cuda, cuda:N, cuda:N,M,... or cuda:all");
}

std::unique_ptr<Backend> make_backend(const std::string& device, std::uint64_t gpu_memory,
                                      CpuPath path) {
  const DeviceChoice choice = devices_named(device);
  if (choice.gpus.empty()) return make_cpu_backend(path);
  if (choice.or_cpu) {
    for (const std::string& line : describe_cuda_devices())
      log().debug("found {}", line);
    try {
      return make_fallback_backend(make_cuda_backend(choice.gpus.front(), gpu_memory),
                                   make_cpu_backend(path));
    } catch (const DeviceError& error) {
      log().debug("using the CPU: {}", error.what());
      return make_cpu_backend(path);
    }
  }
  if (choice.gpus.size() == 1) return make_cuda_backend(choice.gpus.front(), gpu_memory);
  return make_cuda_backend(choice.gpus, gpu_memory);
}

std::unique_ptr<Verifier> make_verifier(const std::string& device, std::uint64_t gpu_memory) {
  const DeviceChoice choice = devices_named(device);
  if (choice.gpus.empty()) return make_cpu_verifier();
  try {
    std::unique_ptr<Verifier> gpu = make_cuda_verifier(choice.gpus.front(), gpu_memory);
    return choice.or_cpu ? make_fallback_verifier(std::move(gpu), make_cpu_verifier())
                         : std::move(gpu);
  } catch (const DeviceError& error) {
    if (!choice.or_cpu) throw;
    log().debug("using the CPU: {}", error.what());
    return make_cpu_verifier();
  }
}

}  // namespace gsx
