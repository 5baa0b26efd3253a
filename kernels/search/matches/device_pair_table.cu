#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/matches/device_pair_table.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Sampled places of a text, and where their k-mers are counted.
struct TableFill {
  TextView text;
  PairTableView table;
  std::uint32_t kmer;
  std::uint32_t* starts;

  std::uint64_t places() const { return divide_up(text.length(), table.step); }
  /// Whether place i has a k-mer, and its slot.
  __device__ bool has_slot(std::uint64_t i, std::uint64_t& slot) const {
    const std::uint64_t p = i * table.step;
    if (!has_kmer_at(text, p, kmer)) return false;
    slot = table.slot_at(text.symbols, p);
    return true;
  }
};

__global__ void __launch_bounds__(block_threads) count_kernel(TableFill fill) {
  std::uint64_t slot = 0;
  if (fill.has_slot(std::uint64_t{blockIdx.x} * block_threads + threadIdx.x, slot))
    atomicAdd(fill.starts + slot, 1u);
}

/// Fills the slots from their ends on, which leaves their starts.
__global__ void __launch_bounds__(block_threads)
    fill_kernel(TableFill fill, std::uint32_t* samples) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x;
  std::uint64_t slot = 0;
  if (fill.has_slot(i, slot))
    samples[atomicAdd(fill.starts + slot, ~0u) - 1] = static_cast<std::uint32_t>(i);
}

}  // namespace

DevicePairTable::DevicePairTable(const TextView& d_text, const PairSampling& sampling,
                                 DeviceStream stream)
    : shape_(PairTableView::of(d_text, sampling)), starts_(shape_.slots() + 1, stream) {
  const TableFill fill{d_text, shape_, sampling.kmer, starts_.data()};
  const unsigned blocks = blocks_for(fill.places(), block_threads);
  GSX_CUDA_CHECK(cudaMemsetAsync(starts_.data(), 0, starts_.bytes(), stream));
  count_kernel<<<blocks, block_threads, 0, stream>>>(fill);
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, starts_.data(), starts_.data(),
                                             starts_.size(), stream);
      },
      stream);
  std::uint32_t samples = 0;
  GSX_CUDA_CHECK(cudaMemcpyAsync(&samples, starts_.data() + shape_.slots(), sizeof samples,
                                 cudaMemcpyDeviceToHost, stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  samples_ = {samples, stream};
  fill_kernel<<<blocks, block_threads, 0, stream>>>(fill, samples_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

PairTableView DevicePairTable::view() const {
  PairTableView view = shape_;
  view.starts = starts_.data();
  view.samples = samples_.data();
  return view;
}

}  // namespace gsx::cuda
