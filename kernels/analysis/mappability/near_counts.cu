#include "kernels/analysis/mappability/near_counts.hpp"

#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Positions that one block closes.
constexpr std::uint64_t tile = block_threads;

/// The count at the last position of each tile.
__global__ void ends_kernel(const std::uint32_t* d_counts, std::uint64_t tiles,
                            std::uint32_t* d_ends) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (t < tiles) d_ends[t] = d_counts[(t + 1) * tile - 1];
}

/// Whether a position is open, and how many of its near k-mers are kept.
struct Closing {
  const std::uint16_t* d_exact;
  std::uint64_t size;
  std::uint32_t cap;

  __device__ bool is_open(std::uint64_t p, std::uint32_t near) const {
    if (p >= size) return false;
    const std::uint32_t exact = d_exact[p];
    return exact != 0 && exact + near < cap;
  }
  /// More are as good.
  __device__ std::uint32_t kept(std::uint32_t near) const { return near < cap ? near : cap; }
};

/// Turns counts of positions [0, size] back into steps, and writes which positions are open, 32 to
/// a word.
__global__ void __launch_bounds__(block_threads)
    close_kernel(Closing closing, const std::uint32_t* d_ends, std::uint32_t* d_counts,
                 std::uint32_t* d_open) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * tile + threadIdx.x;
  std::uint32_t before = 0, near = 0;
  if (p <= closing.size) {
    near = d_counts[p];
    if (threadIdx.x > 0) {
      before = d_counts[p - 1];
    } else if (blockIdx.x > 0) {
      before = d_ends[blockIdx.x - 1];
    }
  }
  __syncthreads();  // all have been read that others write to
  if (p <= closing.size) d_counts[p] = closing.kept(near) - closing.kept(before);
  const std::uint32_t open = __ballot_sync(~0u, closing.is_open(p, near));
  if (threadIdx.x % 32 == 0 && p < closing.size) d_open[p / 32] = open;
}

/// Writes which windows are near-palindromes, 32 to a word.
__global__ void __launch_bounds__(block_threads)
    palindromes_kernel(BothStrandsView text, NearWindows windows, const std::uint16_t* d_exact,
                       std::uint32_t* d_palindromes) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // No k-mer that begins at p ends in its segment if its exact frequency is 0.
  const bool is_one =
      p < text.half && d_exact[p] != 0 && NearPalindromes::is_one(text.text.symbols, windows, p);
  const std::uint32_t word = __ballot_sync(~0u, is_one);
  if (threadIdx.x % 32 == 0 && p < text.half) d_palindromes[p / 32] = word;
}

/// Adds the counts to the exact frequencies.
__global__ void total_kernel(std::uint64_t size, std::uint32_t cap, const std::uint32_t* d_counts,
                             std::uint16_t* d_exact) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (p >= size) return;
  const std::uint32_t near = d_counts[p];
  if (near == 0) return;
  const std::uint32_t left = cap - d_exact[p];
  d_exact[p] = static_cast<std::uint16_t>(near < left ? d_exact[p] + near : cap);
}

}  // namespace

DeviceNearCounts::DeviceNearCounts(const BothStrandsView& d_text, const NearWindows& windows,
                                   std::uint64_t cap, std::span<const std::uint16_t> exact,
                                   Transfer& transfer, DeviceStream stream)
    : text_(d_text),
      cap_(static_cast<std::uint32_t>(cap)),
      stream_(stream),
      steps_(d_text.half + 1, stream),
      exact_(d_text.half, stream),
      open_(divide_up(d_text.half, 64), stream),
      palindromes_(d_text.half < d_text.text.length() ? open_.size() : 0, stream),
      ends_((d_text.half + 1) / tile, stream) {
  GSX_CUDA_CHECK(cudaMemsetAsync(steps_.data(), 0, steps_.bytes(), stream));
  GSX_CUDA_CHECK(cudaMemsetAsync(open_.data(), 0, open_.bytes(), stream));
  if (palindromes_.size() > 0)
    GSX_CUDA_CHECK(cudaMemsetAsync(palindromes_.data(), 0, palindromes_.bytes(), stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the buffers exist in stream order
  transfer.to_device(exact_.data(), exact.data(), exact_.bytes());
  find_palindromes_async(windows);
  close_full_async();
}

void DeviceNearCounts::find_palindromes_async(const NearWindows& windows) {
  if (palindromes_.size() == 0) return;
  palindromes_kernel<<<blocks_for(text_.half, block_threads), block_threads, 0, stream_>>>(
      text_, windows, exact_.data(), reinterpret_cast<std::uint32_t*>(palindromes_.data()));
  GSX_CUDA_CHECK(cudaGetLastError());
}

void DeviceNearCounts::sum_up_async() {
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, steps_.data(), steps_.data(),
                                             steps_.size(), stream_);
      },
      stream_);
}

void DeviceNearCounts::close_full_async() {
  sum_up_async();
  if (ends_.size() > 0) {
    ends_kernel<<<blocks_for(ends_.size(), block_threads), block_threads, 0, stream_>>>(
        steps_.data(), ends_.size(), ends_.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  const Closing closing{exact_.data(), text_.half, cap_};
  close_kernel<<<blocks_for(steps_.size(), tile), tile, 0, stream_>>>(
      closing, ends_.data(), steps_.data(), reinterpret_cast<std::uint32_t*>(open_.data()));
  GSX_CUDA_CHECK(cudaGetLastError());
}

Buffer<std::uint16_t> DeviceNearCounts::result(Transfer& transfer) {
  Buffer<std::uint16_t> totals(text_.half, "k-mer frequencies");
  sum_up_async();
  total_kernel<<<blocks_for(text_.half, block_threads), block_threads, 0, stream_>>>(
      text_.half, cap_, steps_.data(), exact_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  transfer.to_host(totals.data(), exact_.data(), exact_.bytes());
  return totals;
}

}  // namespace gsx::cuda
