// Stands in for the GPU benchmark in a build without CUDA.
#include "base/error.hpp"
#include "bench/device_bench.hpp"

#if !GSX_WITH_CUDA

namespace gsx {

std::unique_ptr<DeviceBench> make_cuda_bench(int, std::uint64_t) {
  throw DeviceError("this gsx was built without CUDA");
}

}  // namespace gsx

#endif
