#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "kernels/cub_temporary.hpp"
#include "kernels/tied_rows.hpp"
#include "kernels/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Bits of word w's rows that are in a group: tied themselves, or with a tied row behind them.
struct GroupBits {
  const std::uint32_t* d_tied;
  __host__ __device__ std::uint32_t operator()(std::uint64_t w) const {
    return d_tied[w] | d_tied[w] >> 1 | d_tied[w + 1] << 31;
  }
};

struct GroupBitCount {
  GroupBits bits;
  __host__ __device__ std::uint64_t operator()(std::uint64_t w) const {
    return popcount32(bits(w));
  }
};

struct InGroup {
  GroupBits bits;
  __host__ __device__ bool operator()(std::uint64_t row) const {
    return (bits(row / 32) >> (row % 32) & 1) != 0;
  }
};

/// Whether slot i shares its group with a neighbour.
struct NotAlone {
  const std::uint8_t* d_heads;
  std::uint64_t size;
  __host__ __device__ bool operator()(std::uint64_t i) const {
    return d_heads[i] == 0 || (i + 1 < size && d_heads[i + 1] == 0);
  }
};

__global__ void fill_kernel(const std::uint32_t* d_suffix_array, const std::uint32_t* d_tied,
                            const std::uint32_t* d_rows, std::uint64_t size,
                            std::uint32_t* d_positions, std::uint8_t* d_heads) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::uint32_t row = d_rows[i];
  d_positions[i] = d_suffix_array[row];
  d_heads[i] = (d_tied[row / 32] >> (row % 32) & 1) == 0 ? 1 : 0;
}

__global__ void scatter_rows_kernel(const std::uint32_t* d_rows, const std::uint32_t* d_positions,
                                    std::uint64_t size, std::uint32_t* d_suffix_array) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_suffix_array[d_rows[i]] = d_positions[i];
}

}  // namespace

TiedRows::TiedRows(const SortedRows& sorted, cudaStream_t stream)
    : stream_(stream), d_selected_(1, stream) {
  const std::uint64_t n = sorted.rows.size();
  const GroupBits bits{sorted.tied.data()};
  const auto counts = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                      GroupBitCount{bits});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(workspace, bytes, counts, d_selected_.data(), n / 32 + 1,
                                      stream);
      },
      stream);
  size_ = first_value(d_selected_, stream);
  if (size_ == 0) return;
  rows_ = DeviceBuffer<std::uint32_t>(size_, stream);
  other_rows_ = DeviceBuffer<std::uint32_t>(size_, stream);
  positions_ = DeviceBuffer<std::uint32_t>(size_, stream);
  other_positions_ = DeviceBuffer<std::uint32_t>(size_, stream);
  heads_ = DeviceBuffer<std::uint8_t>(size_, stream);
  other_heads_ = DeviceBuffer<std::uint8_t>(size_, stream);
  keys_ = DeviceBuffer<std::uint64_t>(size_, stream);
  other_keys_ = DeviceBuffer<std::uint64_t>(size_, stream);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceSelect::If(workspace, bytes, thrust::counting_iterator<std::uint64_t>(0),
                                     rows_.data(), d_selected_.data(), n, InGroup{bits}, stream);
      },
      stream);
  fill_kernel<<<blocks_for(size_, block_threads), block_threads, 0, stream>>>(
      sorted.rows.data(), sorted.tied.data(), rows_.data(), size_, positions_.data(),
      heads_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

void TiedRows::sort(std::uint32_t key_bits, EndedKeys ended) {
  sort_groups(slots(), other_slots(), size_, key_bits, ended, stream_);
  swap_slots();
}

void TiedRows::swap_slots() {
  std::swap(keys_, other_keys_);
  std::swap(positions_, other_positions_);
  std::swap(heads_, other_heads_);
}

void TiedRows::store_async(std::uint32_t* d_suffix_array) {
  scatter_rows_kernel<<<blocks_for(size_, block_threads), block_threads, 0, stream_>>>(
      rows_.data(), positions_.data(), size_, d_suffix_array);
  GSX_CUDA_CHECK(cudaGetLastError());
}

void TiedRows::compact() {
  const auto flags = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                     NotAlone{heads_.data(), size_});
  const auto from = thrust::make_zip_iterator(rows_.data(), positions_.data(), heads_.data());
  const auto to =
      thrust::make_zip_iterator(other_rows_.data(), other_positions_.data(), other_heads_.data());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceSelect::Flagged(workspace, bytes, from, flags, to, d_selected_.data(),
                                          size_, stream_);
      },
      stream_);
  size_ = first_value(d_selected_, stream_);
  std::swap(rows_, other_rows_);
  std::swap(positions_, other_positions_);
  std::swap(heads_, other_heads_);
}

}  // namespace gsx::cuda
