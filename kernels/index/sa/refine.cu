#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/refine.hpp"
#include "kernels/index/sa/refine_keys.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// keys[i] = the symbols that follow those known of its suffix.
template <class Pos>
__global__ void text_keys_kernel(RefineKeys keys, KnownDepth known, const Pos* d_positions,
                                 std::uint64_t size, std::uint64_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_keys[i] = keys.at(d_positions[i], known.at(i));
}

}  // namespace

template <class Pos>
std::uint64_t refine_by_text(TiedRows<Pos>& tied, const TextView& d_text, const KnownDepth& known,
                             DeviceBuffer<Pos>& rows) {
  const RefineKeys keys(d_text, 64 - group_number_bits(tied.size()));
  text_keys_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      keys, known, tied.positions(), tied.size(), tied.keys());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.sort(keys.width(), keys.ended());
  tied.settle(&rows);
  return known.depth + keys.keys.symbols;
}

template std::uint64_t refine_by_text(TiedRows<std::uint32_t>&, const TextView&, const KnownDepth&,
                                      DeviceBuffer<std::uint32_t>&);
template std::uint64_t refine_by_text(TiedRows<std::uint64_t>&, const TextView&, const KnownDepth&,
                                      DeviceBuffer<std::uint64_t>&);

}  // namespace gsx::cuda
