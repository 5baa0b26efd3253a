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

/// -1, 0 or 1 as the suffix at a is smaller than the one at b, agrees with it on `limit` keys, or
/// is larger. Pre: they agree on their first `depth` symbols and neither is shorter.
__device__ int compare_suffixes(const SuffixKeys& keys, std::uint64_t a, std::uint64_t b,
                                std::uint64_t depth, unsigned limit) {
  const std::uint64_t end_of_a = keys.text.segments.separator_from(a);
  const std::uint64_t end_of_b = keys.text.segments.separator_from(b);
  for (unsigned k = 0; k < limit; ++k, depth += keys.symbols) {
    const std::uint64_t key_a = keys.at(a + depth, end_of_a);
    const std::uint64_t key_b = keys.at(b + depth, end_of_b);
    if (key_a != key_b) return key_a < key_b ? -1 : 1;
    if (keys.ended(key_a)) return a < b ? -1 : 1;
  }
  return 0;
}

/// Sorts each group of at most deep_group_limit slots by comparing its suffixes in the text; larger
/// ones pass as they are.
template <class Pos>
__global__ void deep_kernel(SuffixKeys keys, std::uint64_t depth, unsigned limit, Slots<Pos> from,
                            Slots<Pos> to, std::uint64_t size) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  std::uint64_t begin = i, end = i + 1;
  while (from.heads[begin] == 0 && i - begin <= tuning::deep_group_limit)
    --begin;
  while (end < size && from.heads[end] == 0 && end - begin <= tuning::deep_group_limit)
    ++end;
  const Pos position = from.positions[i];
  if (from.heads[begin] == 0 || end - begin > tuning::deep_group_limit) {
    to.positions[i] = position;
    to.heads[i] = from.heads[i];
    return;
  }
  unsigned smaller = 0, equal = 0;  // of the others; equal ones only if they come before
  for (std::uint64_t j = begin; j < end; ++j) {
    if (j == i) continue;
    const int order = compare_suffixes(keys, from.positions[j], position, depth, limit);
    smaller += order < 0;
    equal += order == 0 && j < i;
  }
  to.positions[begin + smaller + equal] = position;
  to.heads[begin + smaller + equal] = equal == 0 ? 1 : 0;
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

template <class Pos>
void compare_in_text(TiedRows<Pos>& tied, const TextView& d_text, std::uint64_t depth,
                     unsigned limit, DeviceBuffer<Pos>& rows) {
  deep_kernel<<<blocks_for(tied.size(), block_threads), block_threads, 0, tied.stream()>>>(
      SuffixKeys(d_text), depth, limit, tied.slots(), tied.other_slots(), tied.size());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.swap_slots();
  tied.settle(&rows);
}

template std::uint64_t refine_by_text(TiedRows<std::uint32_t>&, const TextView&, std::uint64_t,
                                      DeviceBuffer<std::uint32_t>&);
template std::uint64_t refine_by_text(TiedRows<std::uint64_t>&, const TextView&, std::uint64_t,
                                      DeviceBuffer<std::uint64_t>&);
template void compare_in_text(TiedRows<std::uint32_t>&, const TextView&, std::uint64_t, unsigned,
                              DeviceBuffer<std::uint32_t>&);
template void compare_in_text(TiedRows<std::uint64_t>&, const TextView&, std::uint64_t, unsigned,
                              DeviceBuffer<std::uint64_t>&);

}  // namespace gsx::cuda
