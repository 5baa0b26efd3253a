#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/cuda_error.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/sets/prefix_search.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

__global__ void __launch_bounds__(block_threads)
    longest_prefixes_kernel(PrefixSetView set, const std::uint32_t* d_indexes,
                            const std::uint64_t* d_queries, const std::uint32_t* d_lengths,
                            std::uint64_t count, std::uint32_t* d_found) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  std::uint32_t length = __ldcs(d_lengths + k);
  if (length > set.longest) length = set.longest;
  const std::uint32_t entry =
      set.size == 0 ? set.none : set.longest_prefix(d_queries + k * set.words(), length);
  __stcs(d_found + k, entry == set.none ? entry : d_indexes[entry]);
}

}  // namespace

void longest_prefixes_async(const PrefixSetView& d_set, const std::uint32_t* d_indexes,
                            const std::uint64_t* d_queries, const std::uint32_t* d_lengths,
                            std::uint64_t count, std::uint32_t* d_found, cudaStream_t stream) {
  if (count == 0) return;
  longest_prefixes_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      d_set, d_indexes, d_queries, d_lengths, count, d_found);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda
