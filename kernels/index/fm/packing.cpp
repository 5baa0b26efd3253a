#include "kernels/index/fm/packing.hpp"

#include "kernels/arrays/packing/pack_kernels.hpp"
#include "kernels/base/copies.hpp"

namespace gsx::cuda {

template <class T>
PackedArray pack_to_host(const DeviceBuffer<T>& values, std::uint32_t bits, const char* what,
                         Transfer& transfer, DeviceStream stream) {
  const std::uint64_t size = values.size();
  DeviceBuffer<std::uint8_t> bytes(PackedView::bytes_for(size, bits), stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(bytes.data() + bytes.size() - PackedView::slack, 0,
                                 PackedView::slack, stream));
  pack_stream_async(values.data(), size, bits, 0, bytes.data(), nullptr, stream);
  return {copy_to_host(bytes, what, transfer, stream), size, bits};
}

template PackedArray pack_to_host(const DeviceBuffer<std::uint32_t>&, std::uint32_t, const char*,
                                  Transfer&, DeviceStream);
template PackedArray pack_to_host(const DeviceBuffer<std::uint64_t>&, std::uint32_t, const char*,
                                  Transfer&, DeviceStream);

}  // namespace gsx::cuda
