#include "kernels/arrays/packing/block_tiles.cuh"
#include "kernels/arrays/packing/packing_shape.hpp"
#include "kernels/arrays/packing/unpack_kernels.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using packing::block_values;
using packing::lanes;
using packing::per_vector;
using packing::warps;
using tuning::block_threads;

/// What a launch unpacks, and to where.
template <class Value>
struct Range {
  std::uint64_t first, end;  ///< values of the array
  Value* d_out;              ///< where value `first` goes
  bool aligned;              ///< where value 0 would go is aligned to a vector
};

/// The words of a block, `vectors` of them to `words`, by a warp.
template <class Tile>
__device__ void load_block(const uint4* d_vectors, std::uint32_t vectors, std::uint32_t* words) {
#pragma unroll 4
  for (std::uint32_t v = threadIdx.x % lanes; v < vectors; v += lanes) {
    uint4 vector = __ldcs(d_vectors + v);
    vector.x = Tile::loaded(vector.x);
    vector.y = Tile::loaded(vector.y);
    vector.z = Tile::loaded(vector.z);
    vector.w = Tile::loaded(vector.w);
    *reinterpret_cast<uint4*>(words + 4 * v) = vector;
  }
}

/// A warp reads its block into shared memory, line by line, and writes it value by value, 16 bytes
/// per lane.
template <class Tile, class Value>
__global__ void __launch_bounds__(packing::threads)
    unpack_kernel(const uint4* d_vectors, std::uint64_t vectors, std::uint32_t bits,
                  Range<Value> range) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const std::uint64_t block = range.first / block_values + std::uint64_t{blockIdx.x} * warps + warp;
  const std::uint64_t begin = block * block_values;
  if (begin >= range.end) return;
  auto* words = reinterpret_cast<std::uint32_t*>(shared) + warp * packing::tile_words(bits);
  const std::uint32_t block_vectors = lanes / 4 * bits;
  const std::uint64_t left = vectors - block * block_vectors;
  load_block<Tile>(d_vectors + block * block_vectors,
                   left < block_vectors ? static_cast<std::uint32_t>(left) : block_vectors, words);
  __syncwarp();
  const Tile tile{words, bits};
  Value* const out = range.d_out - range.first + begin;
  if (range.aligned && begin >= range.first && range.end - begin >= block_values) {
    constexpr unsigned n = per_vector<Value>;
#pragma unroll 2
    for (std::uint32_t i = lane * n; i < block_values; i += lanes * n) {
      Value values[n];
      tile.read(i, values);
      uint4 vector;
      std::memcpy(&vector, values, sizeof vector);
      __stcs(reinterpret_cast<uint4*>(out + i), vector);
    }
    return;
  }
  for (std::uint32_t i = lane; i < block_values; i += lanes) {
    if (begin + i < range.first || begin + i >= range.end) continue;
    Value values[1];
    tile.read(i, values);
    __stcs(out + i, values[0]);
  }
}

template <class Tile, class Value>
void unpack_by(const typename Tile::View& d_packed, std::uint64_t first, std::uint64_t count,
               Value* d_out, cudaStream_t stream) {
  if (count == 0) return;
  const auto place = reinterpret_cast<std::uintptr_t>(d_out) - first * sizeof(Value);
  const Range<Value> range{first, first + count, d_out, place % sizeof(uint4) == 0};
  const std::uint64_t from_block = first % block_values + count;
  const std::uint64_t shared = warps * packing::tile_words(d_packed.bits) * sizeof(std::uint32_t);
  const auto kernel = unpack_kernel<Tile, Value>;
  kernel<<<packing::grid_for(from_block), packing::threads, shared, stream>>>(
      static_cast<const uint4*>(Tile::memory(d_packed)), Tile::vectors(d_packed), d_packed.bits,
      range);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class View, class Pos, class Value>
__global__ void gather_kernel(View packed, const Pos* d_positions, std::uint64_t count,
                              Value* d_out) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) __stcs(d_out + k, static_cast<Value>(packed[__ldcs(d_positions + k)]));
}

template <class View, class Pos, class Value>
void gather(const View& d_packed, const Pos* d_positions, std::uint64_t count, Value* d_out,
            cudaStream_t stream) {
  if (count == 0) return;
  gather_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_packed, d_positions, count, d_out);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

template <class Value>
void unpack_async(const PackedView& d_packed, std::uint64_t first, std::uint64_t count,
                  Value* d_out, cudaStream_t stream) {
  unpack_by<packing::StreamTile>(d_packed, first, count, d_out, stream);
}
template <class Value>
void unpack_async(const InterleavedView& d_packed, std::uint64_t first, std::uint64_t count,
                  Value* d_out, cudaStream_t stream) {
  unpack_by<packing::InterleavedTile>(d_packed, first, count, d_out, stream);
}

template <class Pos, class Value>
void gather_async(const PackedView& d_packed, const Pos* d_positions, std::uint64_t count,
                  Value* d_out, cudaStream_t stream) {
  gather(d_packed, d_positions, count, d_out, stream);
}
template <class Pos, class Value>
void gather_async(const InterleavedView& d_packed, const Pos* d_positions, std::uint64_t count,
                  Value* d_out, cudaStream_t stream) {
  gather(d_packed, d_positions, count, d_out, stream);
}

#define GSX_GATHER(View, Value)                                                        \
  template void gather_async(const View&, const std::uint32_t*, std::uint64_t, Value*, \
                             cudaStream_t);                                            \
  template void gather_async(const View&, const std::uint64_t*, std::uint64_t, Value*, \
                             cudaStream_t);
#define GSX_UNPACK(Value)                                                                  \
  template void unpack_async(const PackedView&, std::uint64_t, std::uint64_t, Value*,      \
                             cudaStream_t);                                                \
  template void unpack_async(const InterleavedView&, std::uint64_t, std::uint64_t, Value*, \
                             cudaStream_t);                                                \
  GSX_GATHER(PackedView, Value)                                                            \
  GSX_GATHER(InterleavedView, Value)
GSX_UNPACK(std::uint8_t)
GSX_UNPACK(std::uint16_t)
GSX_UNPACK(std::uint32_t)
GSX_UNPACK(std::uint64_t)
#undef GSX_UNPACK
#undef GSX_GATHER

}  // namespace gsx::cuda
