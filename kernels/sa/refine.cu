#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/refine.hpp"
#include "kernels/sa/refine_keys.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// keys[i] = the symbols that follow the first `depth` of its suffix.
template <class Pos>
__global__ void text_keys_kernel(RefineKeys keys, std::uint64_t depth, const Pos* d_positions,
                                 std::uint64_t size, std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_keys[i] = keys.at(d_positions[i], depth);
}

}  // namespace

template <class Pos>
std::uint64_t refine_by_text(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                             DeviceBuffer<Pos>& rows) {
  const RefineKeys keys(d_text, 64 - group_number_bits(tied.size()));
  text_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      keys, depth, tied.positions(), tied.size(), tied.keys());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.sort(keys.width(), keys.ended());
  tied.settle(&rows);
  return depth + keys.keys.symbols;
}

template std::uint64_t refine_by_text(TiedRows<std::uint32_t>&, const TextView&, std::uint64_t,
                                      DeviceBuffer<std::uint32_t>&);
template std::uint64_t refine_by_text(TiedRows<std::uint64_t>&, const TextView&, std::uint64_t,
                                      DeviceBuffer<std::uint64_t>&);

}  // namespace gsx::cuda
