// The CUDA back end of a build without CUDA.
#include "base/error.hpp"
#include "device/registry.hpp"

#if !GSX_WITH_CUDA

namespace gsx {

std::unique_ptr<Backend> make_cuda_backend(int, std::uint64_t) {
  throw DeviceError("this gsx was built without CUDA");
}

std::unique_ptr<Backend> make_cuda_backend(std::span<const int>, std::uint64_t) {
  throw DeviceError("this gsx was built without CUDA");
}

std::unique_ptr<Verifier> make_cuda_verifier(int, std::uint64_t) {
  throw DeviceError("this gsx was built without CUDA");
}

std::vector<std::string> describe_cuda_devices() {
  return {};
}

CudaFacts cuda_facts() {
  CudaFacts facts;
  facts.problem = "this gsx was built without CUDA";
  return facts;
}

}  // namespace gsx

#endif
