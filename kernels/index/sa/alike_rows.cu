#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>
#include <utility>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/alike_rows.hpp"
#include "kernels/text/code_before.hpp"
#include "kernels/text/leading_bits.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Words of bits in which a group may continue: a larger one is taken for mixed, as a thread goes
/// through them.
constexpr unsigned most_words = 128;

/// Calls work(word, lane) with all lanes of a warp for each of its 32 words of bits in which any is
/// set, or the first one of the next word.
template <class Work>
__device__ void for_each_tied_word(const std::uint32_t* d_tied, std::uint64_t words,
                                   const Work& work) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint64_t own = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const bool any =
      own < words && (d_tied[own] != 0 || (own + 1 < words && (d_tied[own + 1] & 1) != 0));
  for (std::uint32_t left = __ballot_sync(~0u, any); left != 0; left &= left - 1)
    work(own - lane + lowest_bit32(left), lane);
}

/// d_unlike: a bit for each row that is tied to the row before and has another code before it. Pre:
/// they are 0.
template <class Key, class Pos>
__global__ void unlike_kernel(TextView text, const Key* d_keys, const Pos* d_rows,
                              const std::uint32_t* d_tied, std::uint64_t words,
                              std::uint32_t* d_unlike) {
  for_each_tied_word(d_tied, words, [&](std::uint64_t w, unsigned lane) {
    const std::uint64_t i = 32 * w + lane;
    bool unlike = false;
    if ((d_tied[w] >> lane & 1) != 0) {
      const std::uint8_t code = carried_code(d_keys[i]), before = carried_code(d_keys[i - 1]);
      unlike = code != before;
      // Keys do not tell a separator from code 0.
      if (code == 0 && before == 0)
        unlike = starts_segment(text, d_rows[i]) != starts_segment(text, d_rows[i - 1]);
    }
    const std::uint32_t word = __ballot_sync(~0u, unlike);
    if (lane == 0 && word != 0) d_unlike[w] = word;
  });
}

/// The lowest `count` bits. Pre: count <= 32.
__device__ std::uint32_t low_bits(unsigned count) {
  return count == 32 ? ~0u : (1u << count) - 1;
}

/// Whether a group that goes on at the begin of word w, to which it is tied, has different codes
/// before its suffixes, or goes on too far.
__device__ bool is_mixed_behind(const std::uint32_t* d_tied, const std::uint32_t* d_unlike,
                                std::uint64_t w, std::uint64_t words) {
  for (unsigned k = 0; w < words; ++k, ++w) {
    if (k == most_words) return true;
    const std::uint32_t ends = ~d_tied[w];
    const unsigned here = ends == 0 ? 32 : lowest_bit32(ends);
    if ((d_unlike[w] & low_bits(here)) != 0) return true;
    if (here < 32) return false;
  }
  return false;
}

/// d_mixed: a bit for the first row of each group that has different codes before its suffixes. A
/// thread takes the groups that begin in its word.
__global__ void mixed_groups_kernel(const std::uint32_t* d_tied, const std::uint32_t* d_unlike,
                                    std::uint64_t words, std::uint32_t* d_mixed) {
  const std::uint64_t w = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (w >= words) return;
  const std::uint32_t tied = d_tied[w], unlike = d_unlike[w];
  const bool goes_on = w + 1 < words && (d_tied[w + 1] & 1) != 0;
  std::uint32_t mixed = 0;
  // Rows before which a group begins are those of a 0 with a 1 behind it.
  for (std::uint32_t heads = ~tied & (tied >> 1 | (goes_on ? 1u << 31 : 0u)); heads != 0;
       heads &= heads - 1) {
    const unsigned head = lowest_bit32(heads);
    const std::uint32_t ends = head == 31 ? 0 : ~tied & ~0u << (head + 1);
    const unsigned end = ends == 0 ? 32 : lowest_bit32(ends);
    bool is_mixed = (unlike & low_bits(end) & ~low_bits(head)) != 0;
    if (end == 32 && goes_on && !is_mixed)
      is_mixed = is_mixed_behind(d_tied, d_unlike, w + 1, words);
    if (is_mixed) mixed |= 1u << head;
  }
  d_mixed[w] = mixed;
}

/// Whether the group that goes on at the begin of word w may not be dropped.
__device__ bool is_kept(const std::uint32_t* d_tied, const std::uint32_t* d_mixed,
                        std::uint64_t w) {
  for (unsigned k = 0; k < most_words; ++k) {
    const std::uint32_t heads = ~d_tied[--w];
    if (heads != 0) return (d_mixed[w] >> (31 - __clz(static_cast<int>(heads))) & 1) != 0;
  }
  return true;
}

/// d_kept: the bits of rows that are still tied.
__global__ void keep_mixed_kernel(const std::uint32_t* d_tied, const std::uint32_t* d_mixed,
                                  std::uint64_t words, std::uint32_t* d_kept) {
  const std::uint64_t w = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (w >= words) return;
  const std::uint32_t tied = d_tied[w];
  std::uint32_t kept = 0;
  if ((tied & 1) != 0 && is_kept(d_tied, d_mixed, w)) {
    const std::uint32_t ends = ~tied;
    kept |= low_bits(ends == 0 ? 32 : lowest_bit32(ends));
  }
  for (std::uint32_t heads = d_mixed[w]; heads != 0; heads &= heads - 1) {
    const unsigned head = lowest_bit32(heads);
    const std::uint32_t ends = head == 31 ? 0 : ~tied & ~0u << (head + 1);
    kept |= low_bits(ends == 0 ? 32 : lowest_bit32(ends)) & ~low_bits(head + 1);
  }
  d_kept[w] = kept;
}

/// The rows of word w that are tied to one of their neighbours.
__device__ std::uint32_t rows_in_groups(const std::uint32_t* d_tied, std::uint64_t w,
                                        std::uint64_t words) {
  const std::uint32_t behind = w + 1 < words ? d_tied[w + 1] << 31 : 0;
  return d_tied[w] | d_tied[w] >> 1 | behind;
}

/// Takes the codes of rows that are no longer tied from their keys.
template <class Key>
__global__ void dropped_codes_kernel(const Key* d_keys, const std::uint32_t* d_tied,
                                     const std::uint32_t* d_kept, std::uint64_t words,
                                     std::uint8_t* d_codes) {
  for_each_tied_word(d_tied, words, [&](std::uint64_t w, unsigned lane) {
    const std::uint32_t dropped =
        rows_in_groups(d_tied, w, words) & ~rows_in_groups(d_kept, w, words);
    if ((dropped >> lane & 1) != 0)
      d_codes[32 * w + lane] = static_cast<std::uint8_t>(carried_code(d_keys[32 * w + lane]));
  });
}

template <class Pos>
__global__ void codes_kernel(TextView text, const Pos* d_positions, std::uint64_t size,
                             std::uint16_t* d_codes) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_codes[i] = code_before(text, d_positions[i]);
}

/// The number of a group is that of its heads up to it, from 1 on.
__global__ void mark_mixed_kernel(const std::uint16_t* d_codes, const std::uint8_t* d_heads,
                                  const std::uint32_t* d_groups, std::uint64_t size,
                                  std::uint8_t* d_mixed) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size || d_heads[i] != 0) return;
  if (d_codes[i] != d_codes[i - 1]) d_mixed[d_groups[i]] = 1;
}

__global__ void end_alike_kernel(const std::uint8_t* d_mixed, const std::uint32_t* d_groups,
                                 std::uint64_t size, std::uint8_t* d_heads) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size && d_mixed[d_groups[i]] == 0) d_heads[i] = 1;
}

struct Widened {
  const std::uint8_t* d_heads;
  __host__ __device__ std::uint32_t operator()(std::uint64_t i) const { return d_heads[i]; }
};

/// groups[i] = the heads up to slot i.
void number_groups_async(const std::uint8_t* d_heads, DeviceBuffer<std::uint32_t>& groups,
                         DeviceStream stream) {
  const auto heads = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                     Widened{d_heads});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, heads, groups.data(), groups.size(),
                                             stream);
      },
      stream);
}

}  // namespace

template <class Key, class Pos>
void drop_alike_async(SortedBatch<Key, Pos>& batch, const TextView& d_text,
                      DeviceBuffer<std::uint32_t>& tied, DeviceStream stream) {
  const std::uint64_t words = tied.size();
  const unsigned blocks = blocks_for(words, block_threads);
  DeviceBuffer<std::uint32_t> unlike(words, stream), mixed(words, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(unlike.data(), 0, unlike.bytes(), stream));
  unlike_kernel<<<blocks, block_threads, 0, stream>>>(d_text, batch.keys.data(), batch.rows.data(),
                                                      tied.data(), words, unlike.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  mixed_groups_kernel<<<blocks, block_threads, 0, stream>>>(tied.data(), unlike.data(), words,
                                                            mixed.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  DeviceBuffer<std::uint32_t> kept = std::move(unlike);
  keep_mixed_kernel<<<blocks, block_threads, 0, stream>>>(tied.data(), mixed.data(), words,
                                                          kept.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  if (batch.codes.size() != 0) {
    dropped_codes_kernel<<<blocks, block_threads, 0, stream>>>(
        batch.keys.data(), tied.data(), kept.data(), words, batch.codes.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  tied = std::move(kept);
}

template <class Pos>
void drop_alike(TiedRows<Pos>& tied, const TextView& d_text, DeviceBuffer<Pos>& rows) {
  const DeviceStream stream = tied.stream();
  const std::uint64_t size = tied.size();
  const unsigned blocks = blocks_for(size, block_threads);
  DeviceBuffer<std::uint16_t> codes(size, stream);
  DeviceBuffer<std::uint32_t> groups(size, stream);
  DeviceBuffer<std::uint8_t> mixed(size + 1, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(mixed.data(), 0, mixed.bytes(), stream));
  codes_kernel<<<blocks, block_threads, 0, stream>>>(d_text, tied.positions(), size, codes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  number_groups_async(tied.heads(), groups, stream);
  mark_mixed_kernel<<<blocks, block_threads, 0, stream>>>(codes.data(), tied.heads(), groups.data(),
                                                          size, mixed.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  end_alike_kernel<<<blocks, block_threads, 0, stream>>>(mixed.data(), groups.data(), size,
                                                         tied.heads());
  GSX_CUDA_CHECK(cudaGetLastError());
  tied.settle(&rows);
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void drop_alike_async(SortedBatch<Narrow, Narrow>&, const TextView&,
                               DeviceBuffer<std::uint32_t>&, DeviceStream);
template void drop_alike_async(SortedBatch<Narrow, Wide>&, const TextView&,
                               DeviceBuffer<std::uint32_t>&, DeviceStream);
template void drop_alike_async(SortedBatch<Wide, Narrow>&, const TextView&,
                               DeviceBuffer<std::uint32_t>&, DeviceStream);
template void drop_alike_async(SortedBatch<Wide, Wide>&, const TextView&,
                               DeviceBuffer<std::uint32_t>&, DeviceStream);
template void drop_alike(TiedRows<std::uint32_t>&, const TextView&, DeviceBuffer<std::uint32_t>&);
template void drop_alike(TiedRows<std::uint64_t>&, const TextView&, DeviceBuffer<std::uint64_t>&);

}  // namespace gsx::cuda
