#include "checks/wavelet_checks.hpp"
#include "device_calls/view_checks.hpp"
#include "kernels/arrays/rank/device_wavelet_matrix.hpp"
#include "kernels/base/stream.hpp"
#include "search/exact/hits.hpp"

namespace gsx::testing {
namespace {

using cuda::DeviceBuffer;

/// Thread c checks code c; the last one checks access.
__global__ void check_kernel(WaveletMatrixView view, checks::Expected expected,
                             std::uint64_t* d_result) {
  const std::uint32_t code = blockIdx.x * blockDim.x + threadIdx.x;
  if (code > expected.sigma) return;
  if (code == expected.sigma) {
    d_result[code] = checks::check_access(view, expected);
    return;
  }
  const std::uint64_t rank = checks::check_rank(view, expected, code);
  const std::uint64_t select = rank != 0 ? rank : checks::check_select(view, expected, code);
  for (std::uint32_t k = 0; k < view.level_count; ++k)
    view.levels[k].select_hints = nullptr;
  d_result[code] = select != 0 ? select : checks::check_select(view, expected, code);
}

template <class T>
DeviceBuffer<T> to_device(const T* h_data, std::size_t size, cuda::DeviceStream stream) {
  DeviceBuffer<T> buffer(size, stream);
  buffer.copy_from_async(h_data);
  return buffer;
}

}  // namespace

bool have_gpu() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  (void)cudaGetLastError();
  return found;
}

std::uint64_t check_wavelet_on_device(const WaveletMatrix& wavelet,
                                      const std::vector<std::uint8_t>& codes, std::uint32_t sigma) {
  const cuda::Stream own_stream;
  cuda::MemoryPool pool(0, unlimited);
  const cuda::DeviceStream stream{own_stream.get(), &pool};
  cuda::Transfer transfer(0, 1);
  const cuda::DeviceWaveletMatrix d_wavelet(wavelet.view(), transfer, stream);
  const auto d_codes = to_device(codes.data(), codes.size(), stream);
  DeviceBuffer<std::uint64_t> d_result(sigma + 1, stream);
  check_kernel<<<(sigma + 64) / 64, 64, 0, stream>>>(
      d_wavelet.view(), checks::Expected{d_codes.data(), codes.size(), sigma}, d_result.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<std::uint64_t> result(sigma + 1);
  d_result.copy_to_async(result.data());
  own_stream.synchronize();
  for (const std::uint64_t wrong : result) {
    if (wrong != 0) return wrong;
  }
  return 0;
}

}  // namespace gsx::testing
