// Integers of host memory, packed and unpacked on the device piece by piece.
#include <algorithm>
#include <cstring>

#include "arrays/packing/packing_checks.hpp"
#include "base/machine.hpp"
#include "base/public_call.hpp"
#include "kernels/arrays/packing/pack_kernels.hpp"
#include "kernels/arrays/packing/unpack_kernels.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/host_pieces.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx {
namespace {

using cuda::SearchLane;

/// Values of a unit: any number of these is whole words in both layouts, aligned for the device.
constexpr std::uint64_t unit_values = InterleavedView::block;

/// Bytes of a unit, packed in `bits` bits each.
std::uint64_t packed_unit(std::uint32_t bits) {
  return unit_values / 8 * bits;
}

template <class Value>
cuda::PieceUnit unit_of(std::uint32_t bits) {
  const std::uint64_t values = unit_values * sizeof(Value), packed = packed_unit(bits);
  return {values + packed, std::max(values, packed)};
}

void pack_piece(const auto* d_values, std::uint64_t count, std::uint32_t bits, std::uint64_t number,
                std::uint8_t* d_packed, std::uint64_t* d_wide, cudaStream_t stream) {
  cuda::pack_stream_async(d_values, count, bits, number, d_packed, d_wide, stream);
}
void pack_piece(const auto* d_values, std::uint64_t count, std::uint32_t bits, std::uint64_t number,
                std::uint32_t* d_packed, std::uint64_t* d_wide, cudaStream_t stream) {
  cuda::pack_interleaved_async(d_values, count, bits, number, d_packed, d_wide, stream);
}

/// Packs to `out`, of which bytes_of(count) bytes hold `count` values.
template <class Value, class Element, class BytesOf>
void pack_pieces(std::span<const Value> values, std::uint32_t bits, Element* out,
                 const DeviceMemory& memory, int threads, const BytesOf& bytes_of) {
  cuda::MemoryPool pool(cuda::current_usable_device(), memory.limit, memory.pool);
  const cuda::Stream stream;
  std::uint64_t wide = cuda::none_wide;
  {
    cuda::DeviceBuffer<std::uint64_t> d_wide(1, {stream.get(), &pool});
    GSX_CUDA_CHECK(cudaMemsetAsync(d_wide.data(), 0xFF, d_wide.bytes(), stream.get()));
    stream.synchronize();
    cuda::SearchLanes lanes(pool);
    cuda::for_host_pieces(
        pool, lanes, divide_up(values.size(), unit_values), unit_of<Value>(bits), 0, threads,
        [&](SearchLane& lane, std::uint64_t begin, std::uint64_t units) {
          const std::uint64_t first = begin * unit_values;
          const std::uint64_t count = std::min(units * unit_values, values.size() - first);
          auto* const d_values = reinterpret_cast<Value*>(lane.device());
          std::uint8_t* const d_packed = lane.device() + units * unit_values * sizeof(Value);
          std::memcpy(lane.host(), values.data() + first, count * sizeof(Value));
          lane.send(count * sizeof(Value));
          pack_piece(d_values, count, bits, first, reinterpret_cast<Element*>(d_packed),
                     d_wide.data(), lane.stream());
          lane.fetch(d_packed, bytes_of(count));
          lane.wait();
          std::memcpy(reinterpret_cast<char*>(out) + begin * packed_unit(bits), lane.host(),
                      bytes_of(count));
        });
    wide = cuda::first_value(d_wide, stream.get());
  }
  if (wide != cuda::none_wide) refuse_wide_value(wide, values[wide], bits);
}

/// Unpacks `size` values of `packed`, whose memory is `bytes` long.
template <class View, class Value>
void unpack_pieces(const View& packed, const void* memory_of, std::uint64_t bytes,
                   std::uint64_t first, std::span<Value> out, const DeviceMemory& memory,
                   int threads) {
  require_unpackable(packed.size, packed.bits, first, out.size(), 8 * sizeof(Value));
  cuda::MemoryPool pool(cuda::current_usable_device(), memory.limit, memory.pool);
  if (out.empty()) return;
  const std::uint64_t end = first + out.size(), first_unit = first / unit_values;
  cuda::SearchLanes lanes(pool);
  cuda::for_host_pieces(
      pool, lanes, divide_up(end, unit_values) - first_unit, unit_of<Value>(packed.bits),
      PackedView::slack, threads, [&](SearchLane& lane, std::uint64_t begin, std::uint64_t units) {
        const std::uint64_t offset = (first_unit + begin) * packed_unit(packed.bits);
        const std::uint64_t some =
            std::min(bytes - offset, units * packed_unit(packed.bits) + PackedView::slack);
        const std::uint64_t start = (first_unit + begin) * unit_values;
        const std::uint64_t from = std::max(first, start);
        const std::uint64_t to = std::min(end, start + units * unit_values);
        auto* const d_values = reinterpret_cast<Value*>(lane.device());
        std::uint8_t* const d_packed = lane.device() + units * unit_values * sizeof(Value);
        std::memcpy(lane.host(), static_cast<const char*>(memory_of) + offset, some);
        GSX_CUDA_CHECK(
            cudaMemcpyAsync(d_packed, lane.host(), some, cudaMemcpyHostToDevice, lane.stream()));
        View piece;
        if constexpr (std::is_same_v<View, PackedView>) {
          piece = {d_packed, std::min(packed.size - start, units * unit_values), packed.bits};
        } else {
          piece = {reinterpret_cast<const std::uint32_t*>(d_packed),
                   std::min(packed.size - start, units * unit_values), packed.bits};
        }
        cuda::unpack_async(piece, from - start, to - from, d_values, lane.stream());
        lane.fetch(lane.device(), (to - from) * sizeof(Value));
        lane.wait();
        std::memcpy(out.data() + (from - first), lane.host(), (to - from) * sizeof(Value));
      });
}

}  // namespace

namespace arrays {

template <class Value>
PackedArray pack_by_device(std::span<const Value> values, std::uint32_t bits,
                           const DeviceMemory& memory, int threads) {
  return with_gsx_errors([&] {
    require_packed_width(bits);
    Buffer<std::uint8_t> bytes(PackedView::bytes_for(values.size(), bits), "packed integers");
    pack_pieces(values, bits, bytes.data(), memory, threads_for(threads),
                [bits](std::uint64_t count) { return (count * bits + 7) / 8; });
    return PackedArray(std::move(bytes), values.size(), bits);
  });
}

template <class Value>
InterleavedArray pack_interleaved_by_device(std::span<const Value> values, std::uint32_t bits,
                                            const DeviceMemory& memory, int threads) {
  return with_gsx_errors([&] {
    require_packed_width(bits);
    Buffer<std::uint32_t> words(InterleavedView::words_for(values.size(), bits), "packed integers");
    pack_pieces(
        values, bits, words.data(), memory, threads_for(threads),
        [bits](std::uint64_t count) { return 4 * InterleavedView::words_for(count, bits); });
    return InterleavedArray(std::move(words), values.size(), bits);
  });
}

template <class Value>
void unpack_by_device(const PackedView& packed, std::uint64_t first, std::span<Value> out,
                      const DeviceMemory& memory, int threads) {
  with_gsx_errors([&] {
    unpack_pieces(packed, packed.bytes, PackedView::bytes_for(packed.size, packed.bits), first, out,
                  memory, threads_for(threads));
  });
}
template <class Value>
void unpack_by_device(const InterleavedView& packed, std::uint64_t first, std::span<Value> out,
                      const DeviceMemory& memory, int threads) {
  with_gsx_errors([&] {
    unpack_pieces(packed, packed.words, 4 * InterleavedView::words_for(packed.size, packed.bits),
                  first, out, memory, threads_for(threads));
  });
}

#define GSX_HOST_PACK(Value)                                                                      \
  template PackedArray pack_by_device(std::span<const Value>, std::uint32_t, const DeviceMemory&, \
                                      int);                                                       \
  template InterleavedArray pack_interleaved_by_device(std::span<const Value>, std::uint32_t,     \
                                                       const DeviceMemory&, int);                 \
  template void unpack_by_device(const PackedView&, std::uint64_t, std::span<Value>,              \
                                 const DeviceMemory&, int);                                       \
  template void unpack_by_device(const InterleavedView&, std::uint64_t, std::span<Value>,         \
                                 const DeviceMemory&, int);
GSX_HOST_PACK(std::uint8_t)
GSX_HOST_PACK(std::uint16_t)
GSX_HOST_PACK(std::uint32_t)
GSX_HOST_PACK(std::uint64_t)
#undef GSX_HOST_PACK

}  // namespace arrays
}  // namespace gsx
