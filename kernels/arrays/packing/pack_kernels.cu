#include "arrays/packing/interleaved_view.hpp"
#include "kernels/arrays/packing/pack_kernels.hpp"
#include "kernels/arrays/packing/packing_shape.hpp"
#include "kernels/arrays/packing/stream_word.cuh"
#include "kernels/base/cuda_error.hpp"

namespace gsx::cuda {
namespace {

using packing::block_values;
using packing::lanes;
using packing::warps;

/// The values of a block, from which a warp takes its own: rows of 32, a value per lane.
template <class Value>
struct BlockOfValues {
  const Value* d_values;
  std::uint32_t count;  ///< 1 to 1024

  __device__ std::uint32_t rows() const { return (count + lanes - 1) / lanes; }
  /// Calls take(row, value) for this lane's values, in order; all lanes at the same time. What is
  /// behind the last value counts as 0. Returns the bits that any of them has.
  template <class Take>
  __device__ Value for_each_row(const Take& take) const {
    const std::uint32_t lane = threadIdx.x % lanes;
    Value all = 0;
    for (std::uint32_t row = 0; row < rows(); row += tuning::packing_rows_ahead) {
      Value values[tuning::packing_rows_ahead];
#pragma unroll
      for (unsigned k = 0; k < tuning::packing_rows_ahead; ++k) {
        const std::uint32_t i = (row + k) * lanes + lane;
        values[k] = i < count ? __ldcs(d_values + i) : Value{0};
        all |= values[k];
      }
#pragma unroll
      for (unsigned k = 0; k < tuning::packing_rows_ahead; ++k) {
        if (row + k < rows()) take(row + k, values[k]);
      }
    }
    return all;
  }
  /// Lowers *d_wide to the number of the first value that needs more bits.
  __device__ void note_wide(std::uint32_t bits, std::uint64_t number, std::uint64_t* d_wide) const {
    if (d_wide == nullptr) return;
    for (std::uint32_t i = threadIdx.x % lanes; i < count; i += lanes) {
      if (packing::fits(d_values[i], bits)) continue;
      atomicMin(reinterpret_cast<unsigned long long*>(d_wide),
                static_cast<unsigned long long>(number + i));
      return;
    }
  }
};

/// The block of this warp; of no values if there is none.
template <class Value>
__device__ BlockOfValues<Value> block_of_warp(const Value* d_values, std::uint64_t count,
                                              std::uint64_t block) {
  const std::uint64_t begin = block * block_values;
  if (begin >= count) return {d_values, 0};
  const std::uint64_t left = count - begin;
  return {d_values + begin, static_cast<std::uint32_t>(left < block_values ? left : block_values)};
}

template <class Value>
__global__ void __launch_bounds__(packing::threads)
    pack_stream_kernel(const Value* d_values, std::uint64_t count, std::uint32_t bits,
                       std::uint64_t number, std::uint8_t* d_bytes, std::uint64_t* d_wide) {
  // A word takes values from many banks; with a gap behind each row these differ.
  constexpr unsigned row = lanes + 1;
  __shared__ Value tiles[warps][lanes * row];
  const std::uint64_t b = std::uint64_t{blockIdx.x} * warps + threadIdx.x / lanes;
  const BlockOfValues<Value> block = block_of_warp(d_values, count, b);
  if (block.count == 0) return;
  const std::uint32_t lane = threadIdx.x % lanes;
  Value* const tile = tiles[threadIdx.x / lanes];
  const Value all =
      block.for_each_row([&](std::uint32_t r, Value value) { tile[r * row + lane] = value; });
  if (!packing::fits(all, bits)) block.note_wide(bits, number + b * block_values, d_wide);
  __syncwarp();
  const auto value_at = [&](std::uint32_t i) {
    return i < block.count ? std::uint64_t{tile[i / lanes * row + i % lanes]} : 0;
  };
  std::uint8_t* const out = d_bytes + b * (block_values / 8) * bits;
  const std::uint32_t bytes = (block.count * bits + 7) / 8;
  for (std::uint32_t w = lane; 4 * w < bytes; w += lanes) {
    const std::uint32_t word = packing::reversed(packing::stream_word(value_at, bits, w));
    if (4 * w + 4 <= bytes) {
      __stcs(reinterpret_cast<std::uint32_t*>(out) + w, word);
    } else {
      for (std::uint32_t k = 0; 4 * w + k < bytes; ++k)
        out[4 * w + k] = static_cast<std::uint8_t>(word >> 8 * k);
    }
  }
}

/// Each lane packs what is its own anyway.
template <class Value>
__global__ void __launch_bounds__(packing::threads)
    pack_interleaved_kernel(const Value* d_values, std::uint64_t count, std::uint32_t bits,
                            std::uint64_t number, std::uint32_t* d_words, std::uint64_t* d_wide) {
  constexpr std::uint32_t word_bits = InterleavedView::word_bits;
  const std::uint64_t b = std::uint64_t{blockIdx.x} * warps + threadIdx.x / lanes;
  const BlockOfValues<Value> block = block_of_warp(d_values, count, b);
  if (block.count == 0) return;
  InterleavedWriter<std::uint32_t> writer(d_words + b * lanes * bits + threadIdx.x % lanes, lanes);
  const Value all = block.for_each_row([&](std::uint32_t, Value value) {
    writer.push(static_cast<std::uint32_t>(value), bits < word_bits ? bits : word_bits);
    if (bits > word_bits)
      writer.push(static_cast<std::uint32_t>(std::uint64_t{value} >> word_bits), bits - word_bits);
  });
  writer.finish();
  if (!packing::fits(all, bits)) block.note_wide(bits, number + b * block_values, d_wide);
}

}  // namespace

template <class Value>
void pack_stream_async(const Value* d_values, std::uint64_t count, std::uint32_t bits,
                       std::uint64_t number, std::uint8_t* d_bytes, std::uint64_t* d_wide,
                       cudaStream_t stream) {
  if (count == 0) return;
  pack_stream_kernel<<<packing::grid_for(count), packing::threads, 0, stream>>>(
      d_values, count, bits, number, d_bytes, d_wide);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Value>
void pack_interleaved_async(const Value* d_values, std::uint64_t count, std::uint32_t bits,
                            std::uint64_t number, std::uint32_t* d_words, std::uint64_t* d_wide,
                            cudaStream_t stream) {
  if (count == 0) return;
  pack_interleaved_kernel<<<packing::grid_for(count), packing::threads, 0, stream>>>(
      d_values, count, bits, number, d_words, d_wide);
  GSX_CUDA_CHECK(cudaGetLastError());
}

#define GSX_PACK(Value)                                                                           \
  template void pack_stream_async(const Value*, std::uint64_t, std::uint32_t, std::uint64_t,      \
                                  std::uint8_t*, std::uint64_t*, cudaStream_t);                   \
  template void pack_interleaved_async(const Value*, std::uint64_t, std::uint32_t, std::uint64_t, \
                                       std::uint32_t*, std::uint64_t*, cudaStream_t);
GSX_PACK(std::uint8_t)
GSX_PACK(std::uint16_t)
GSX_PACK(std::uint32_t)
GSX_PACK(std::uint64_t)
#undef GSX_PACK

}  // namespace gsx::cuda
