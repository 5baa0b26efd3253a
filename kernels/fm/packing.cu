#include "base/bits.hpp"
#include "kernels/fm/packing.hpp"
#include "kernels/runtime/copies.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Each thread packs as many values as make whole bytes.
template <class T>
__global__ void pack_kernel(const T* d_values, std::uint64_t size, std::uint32_t bits,
                            std::uint8_t* d_bytes) {
  constexpr std::uint64_t unit = PackedArray::slice_unit;
  const std::uint64_t begin = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) * unit;
  if (begin >= size) return;
  const std::uint64_t end = size - begin < unit ? size : begin + unit;
  PackedWriter writer(d_bytes + begin * bits / 8, bits);
  for (std::uint64_t i = begin; i < end; ++i)
    writer.push(d_values[i]);
  writer.finish();
}

}  // namespace

template <class T>
PackedArray pack_to_host(const DeviceBuffer<T>& values, std::uint32_t bits, const char* what,
                         Transfer& transfer, DeviceStream stream) {
  const std::uint64_t size = values.size();
  DeviceBuffer<std::uint8_t> bytes(PackedView::bytes_for(size, bits), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(bytes.data(), 0, bytes.bytes(), stream));
  if (size > 0) {
    pack_kernel<<<blocks_for(divide_up(size, PackedArray::slice_unit), block_threads),
                  block_threads, 0, stream>>>(values.data(), size, bits, bytes.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  return {copy_to_host(bytes, what, transfer, stream), size, bits};
}

template PackedArray pack_to_host(const DeviceBuffer<std::uint32_t>&, std::uint32_t, const char*,
                                  Transfer&, DeviceStream);
template PackedArray pack_to_host(const DeviceBuffer<std::uint64_t>&, std::uint32_t, const char*,
                                  Transfer&, DeviceStream);

}  // namespace gsx::cuda
