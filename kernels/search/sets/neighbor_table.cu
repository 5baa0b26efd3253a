#include "kernels/search/sets/neighbor_table.hpp"

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <string>

#include "base/error.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// What the keys of a set have: the bits in which they differ from the first one, all their bits,
/// codes that stand for no letter, and whether they ascend.
template <unsigned Words>
struct KeyFacts {
  SequenceKey<Words> differing, all;
  std::uint64_t wrong;
};

/// Sets bits that few threads find unset.
__device__ void set_bits(std::uint64_t* d_word, std::uint64_t bits) {
  const std::uint64_t seen = *static_cast<volatile std::uint64_t*>(d_word);
  if ((bits & ~seen) != 0)
    atomicOr(reinterpret_cast<unsigned long long*>(d_word), static_cast<unsigned long long>(bits));
}

template <unsigned Words>
__global__ void __launch_bounds__(block_threads)
    key_facts_kernel(SequenceSetView<Words> set, SequenceKey<Words> first,
                     KeyFacts<Words>* d_facts) {
  KeyFacts<Words> facts{};
  const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < set.size;
       i += step) {
    const SequenceKey<Words> key = set.keys[i];
    for (unsigned w = 0; w < Words; ++w) {
      const std::uint64_t word = key.words[w];
      facts.differing.words[w] |= word ^ first.words[w];
      facts.all.words[w] |= word;
      // Of three bits, 5, 6 and 7 stand for no letter.
      if (set.shape.bits == 3)
        facts.wrong |= word >> 2 & (word | word >> 1) & lowest_symbol_bits(3);
    }
    if (i + 1 < set.size && !(key < set.keys[i + 1])) facts.wrong |= 1;
  }
  for (unsigned w = 0; w < Words; ++w) {
    set_bits(&d_facts->differing.words[w], facts.differing.words[w]);
    set_bits(&d_facts->all.words[w], facts.all.words[w]);
  }
  set_bits(&d_facts->wrong, facts.wrong);
}

/// Adds what is found of a set. Asynchronous.
template <unsigned Words>
void find_facts_async(const SequenceSetView<Words>& d_set, const SequenceKey<Words>& first,
                      KeyFacts<Words>* d_facts, DeviceStream stream) {
  if (d_set.size == 0) return;
  const std::uint64_t blocks = (d_set.size + block_threads - 1) / block_threads;
  const std::uint64_t most = std::uint64_t{multiprocessors()} * tuning::walk_blocks;
  key_facts_kernel<<<static_cast<unsigned>(std::min(blocks, most)), block_threads, 0, stream>>>(
      d_set, first, d_facts);
  GSX_CUDA_CHECK(cudaGetLastError());
}

/// The last key of each bucket says how many keys there are up to the end of the bucket.
template <unsigned Words>
__global__ void __launch_bounds__(block_threads)
    bucket_ends_kernel(NeighborTableView<Words> table, std::uint32_t* d_starts) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= table.size) return;
  const std::uint32_t bucket = table.bucket(table.keys[i]);
  if (i + 1 < table.size && table.bucket(table.keys[i + 1]) == bucket) return;
  d_starts[bucket + 1] = static_cast<std::uint32_t>(i + 1);
}

struct Larger {
  __host__ __device__ std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return a < b ? b : a;
  }
};

/// Throws UsageError for keys that are not those of a set of this shape.
template <unsigned Words>
void check_facts(const KeyFacts<Words>& facts, SequenceShape shape) {
  SequenceKey<Words> symbols{};
  for (std::uint32_t i = 0; i < shape.length; ++i)
    symbols.words[shape.word_of(i)] |= ((std::uint64_t{1} << shape.bits) - 1) << shape.shift_of(i);
  if (facts.wrong == 0 && (facts.all & symbols) == facts.all) return;
  throw UsageError("the keys of sequences must ascend, no two equal, and be of their shape: of " +
                   std::to_string(shape.length) + " symbols of " + std::to_string(shape.bits) +
                   " bits");
}

}  // namespace

template <unsigned Words>
NeighborTable<Words>::NeighborTable(const SequenceSetView<Words>& d_asked,
                                    const SequenceSetView<Words>& d_table,
                                    const NeighborTableLimits& limits, DeviceStream stream) {
  KeyFacts<Words> facts{};
  const SequenceSetView<Words>& any = d_table.size != 0 ? d_table : d_asked;
  if (any.size != 0) {
    DeviceBuffer<KeyFacts<Words>> d_facts(1, stream);
    GSX_CUDA_CHECK(cudaMemsetAsync(d_facts.data(), 0, d_facts.bytes(), stream));
    SequenceKey<Words> first;
    GSX_CUDA_CHECK(cudaMemcpyAsync(&first, any.keys, sizeof first, cudaMemcpyDeviceToHost, stream));
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
    find_facts_async(d_table, first, d_facts.data(), stream);
    // Of one array, the table may be the longer part or the shorter one.
    if (d_asked.keys != d_table.keys || d_asked.size > d_table.size)
      find_facts_async(d_asked, first, d_facts.data(), stream);
    facts = first_value(d_facts, stream);
    check_facts(facts, any.shape);
  }
  view_.keys = d_table.keys;
  view_.size = static_cast<std::uint32_t>(d_table.size);
  view_.scanned = limits.scanned;
  view_.symbols = {any.shape,
                   differing_symbols(facts.differing, SequenceKey<Words>{}, any.shape.bits)};
  const std::uint64_t room = stream.pool->available() / 4 / sizeof(std::uint32_t);
  view_.look_at(leading_symbols(view_.symbols, d_table.size, std::min(limits.buckets, room)));

  starts_ = {view_.buckets() + 1, stream};
  view_.starts = starts_.data();
  GSX_CUDA_CHECK(cudaMemsetAsync(starts_.data(), 0, starts_.bytes(), stream));
  if (view_.size == 0) return;
  bucket_ends_kernel<<<blocks_for(view_.size, block_threads), block_threads, 0, stream>>>(
      view_, starts_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveScan(workspace, bytes, starts_.data(), starts_.data(),
                                              Larger{}, starts_.size(), stream);
      },
      stream);
}

template class NeighborTable<1>;
template class NeighborTable<2>;
template class NeighborTable<3>;
template class NeighborTable<4>;

}  // namespace gsx::cuda
