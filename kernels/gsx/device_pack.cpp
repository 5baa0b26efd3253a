// Packed integers in device memory, and through the device.
#include <string>

#include "arrays/packing/packing_checks.hpp"
#include "base/error.hpp"
#include "kernels/arrays/packing/pack_kernels.hpp"
#include "kernels/arrays/packing/unpack_kernels.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx {
namespace {

void require_aligned(const void* d_packed) {
  if (reinterpret_cast<std::uintptr_t>(d_packed) % cuda::packed_alignment == 0) return;
  throw UsageError("a packed array in device memory must be aligned to " +
                   std::to_string(cuda::packed_alignment) + " bytes");
}

/// Calls pack_async(d_wide, stream), waits, and throws if it has found a value that is too large.
template <class Value, class PackAsync>
void pack_checked(const Value* d_values, std::uint32_t bits, cudaStream_t stream,
                  const DeviceMemory& memory, const PackAsync& pack_async) {
  cuda::MemoryPool pool(cuda::current_usable_device(), memory.limit, memory.pool);
  std::uint64_t wide = cuda::none_wide;
  try {
    cuda::DeviceBuffer<std::uint64_t> d_wide(1, cuda::DeviceStream{stream, &pool});
    GSX_CUDA_CHECK(cudaMemsetAsync(d_wide.data(), 0xFF, d_wide.bytes(), stream));
    pack_async(d_wide.data());
    wide = cuda::first_value(d_wide, stream);
  } catch (...) {
    (void)cudaStreamSynchronize(stream);  // so that the pool has no frees to come when it goes
    throw;
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  if (wide == cuda::none_wide) return;
  Value value;
  GSX_CUDA_CHECK(
      cudaMemcpyAsync(&value, d_values + wide, sizeof value, cudaMemcpyDeviceToHost, stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  refuse_wide_value(wide, value, bits);
}

template <class View, class Value>
void unpack_checked(const View& d_packed, const void* d_memory, std::uint64_t first,
                    std::uint64_t count, Value* d_out, cudaStream_t stream) {
  require_unpackable(d_packed.size, d_packed.bits, first, count, 8 * sizeof(Value));
  require_aligned(d_memory);
  (void)cuda::current_usable_device();
  cuda::unpack_async(d_packed, first, count, d_out, stream);
}

template <class View, class Position, class Value>
void gather_checked(const View& d_packed, const void* d_memory, const Position* d_positions,
                    std::uint64_t count, Value* d_out, cudaStream_t stream) {
  require_unpackable(d_packed.size, d_packed.bits, 0, 0, 8 * sizeof(Value));
  require_aligned(d_memory);
  (void)cuda::current_usable_device();
  cuda::gather_async(d_packed, d_positions, count, d_out, stream);
}

}  // namespace

namespace arrays {

template <class Value>
void pack(const Value* d_values, std::uint64_t size, std::uint32_t bits, std::uint8_t* d_bytes,
          cudaStream_t stream, const DeviceMemory& memory) {
  require_packed_width(bits);
  require_aligned(d_bytes);
  pack_checked(d_values, bits, stream, memory, [&](std::uint64_t* d_wide) {
    cuda::pack_stream_async(d_values, size, bits, 0, d_bytes, d_wide, stream);
    const std::uint64_t used = PackedView::bytes_for(size, bits) - PackedView::slack;
    GSX_CUDA_CHECK(cudaMemsetAsync(d_bytes + used, 0, PackedView::slack, stream));
  });
}

template <class Value>
void pack_interleaved(const Value* d_values, std::uint64_t size, std::uint32_t bits,
                      std::uint32_t* d_words, cudaStream_t stream, const DeviceMemory& memory) {
  require_packed_width(bits);
  require_aligned(d_words);
  pack_checked(d_values, bits, stream, memory, [&](std::uint64_t* d_wide) {
    cuda::pack_interleaved_async(d_values, size, bits, 0, d_words, d_wide, stream);
  });
}

template <class Value>
void unpack(const PackedView& d_packed, std::uint64_t first, std::uint64_t count, Value* d_out,
            cudaStream_t stream) {
  unpack_checked(d_packed, d_packed.bytes, first, count, d_out, stream);
}
template <class Value>
void unpack(const InterleavedView& d_packed, std::uint64_t first, std::uint64_t count, Value* d_out,
            cudaStream_t stream) {
  unpack_checked(d_packed, d_packed.words, first, count, d_out, stream);
}

template <class Position, class Value>
void gather(const PackedView& d_packed, const Position* d_positions, std::uint64_t count,
            Value* d_out, cudaStream_t stream) {
  gather_checked(d_packed, d_packed.bytes, d_positions, count, d_out, stream);
}
template <class Position, class Value>
void gather(const InterleavedView& d_packed, const Position* d_positions, std::uint64_t count,
            Value* d_out, cudaStream_t stream) {
  gather_checked(d_packed, d_packed.words, d_positions, count, d_out, stream);
}

#define GSX_GATHER(View, Value)                                                                 \
  template void gather(const View&, const std::uint32_t*, std::uint64_t, Value*, cudaStream_t); \
  template void gather(const View&, const std::uint64_t*, std::uint64_t, Value*, cudaStream_t);
#define GSX_DEVICE_PACK(Value)                                                                 \
  template void pack(const Value*, std::uint64_t, std::uint32_t, std::uint8_t*, cudaStream_t,  \
                     const DeviceMemory&);                                                     \
  template void pack_interleaved(const Value*, std::uint64_t, std::uint32_t, std::uint32_t*,   \
                                 cudaStream_t, const DeviceMemory&);                           \
  template void unpack(const PackedView&, std::uint64_t, std::uint64_t, Value*, cudaStream_t); \
  template void unpack(const InterleavedView&, std::uint64_t, std::uint64_t, Value*,           \
                       cudaStream_t);                                                          \
  GSX_GATHER(PackedView, Value)                                                                \
  GSX_GATHER(InterleavedView, Value)
GSX_DEVICE_PACK(std::uint8_t)
GSX_DEVICE_PACK(std::uint16_t)
GSX_DEVICE_PACK(std::uint32_t)
GSX_DEVICE_PACK(std::uint64_t)
#undef GSX_DEVICE_PACK
#undef GSX_GATHER

}  // namespace arrays
}  // namespace gsx
