// What the program says about the GPUs of a machine.
#include <string>
#include <vector>

#include "base/error.hpp"
#include "device/registry.hpp"
#include "kernels/base/device.hpp"

namespace gsx {

std::vector<std::string> describe_cuda_devices() {
  std::vector<std::string> lines;
  try {
    const int count = cuda::count_devices();
    for (int device = 0; device < count; ++device)
      lines.push_back(cuda::describe_device(device));
  } catch (const Error&) {
    // No device to describe is an answer, not a failure.
  }
  return lines;
}

CudaFacts cuda_facts() {
  return cuda::find_facts();
}

}  // namespace gsx
