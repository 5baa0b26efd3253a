#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/first_sort.hpp"
#include "kernels/index/sa/sample_rows.hpp"

namespace gsx::cuda {
namespace {

template <class Pos>
__global__ void separators_kernel(SegmentsView segments, Pos* d_rows) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < segments.count) d_rows[k] = static_cast<Pos>(segments.starts[k + 1] - 1);
}

/// Keys and rows by key, stably; the key's lowest bits, which it carries, do not count.
template <class Key, class Pos>
SortedBatch<Key, Pos> sort_async(DeviceBuffer<Key> keys, DeviceBuffer<Pos> rows,
                                 std::uint32_t key_bits, DeviceStream stream) {
  DeviceBuffer<Key> other_keys(keys.size(), stream);
  DeviceBuffer<Pos> other_rows(rows.size(), stream);
  cub::DoubleBuffer<Key> d_keys(keys.data(), other_keys.data());
  cub::DoubleBuffer<Pos> d_rows(rows.data(), other_rows.data());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(workspace, bytes, d_keys, d_rows, keys.size(),
                                               static_cast<int>(carried_bits_of<Key>),
                                               static_cast<int>(key_bits), stream);
      },
      stream);
  const bool in_place = d_keys.Current() == keys.data();
  return {in_place ? std::move(keys) : std::move(other_keys),
          d_rows.Current() == rows.data() ? std::move(rows) : std::move(other_rows),
          {}};
}

}  // namespace

template <class Key, class Pos>
SortedBatch<Key, Pos> sort_batch_async(const TextBatches<Key>& batches, std::uint32_t batch,
                                       DeviceStream stream) {
  const std::uint64_t size = batches.size(batch);
  DeviceBuffer<Key> keys(size, stream);
  DeviceBuffer<Pos> rows(size, stream);
  batches.collect_async(batch, keys.data(), rows.data(), stream);
  return sort_async(std::move(keys), std::move(rows), batches.key_bits(batch), stream);
}

template <class Key, class Pos>
SortedBatch<Key, Pos> sort_samples(const TextBatches<Key>& batches, std::uint32_t batch,
                                   const RankBitVector& samples, DeviceStream stream) {
  const std::uint64_t size = batches.size(batch);
  DeviceBuffer<Key> keys(size, stream);
  DeviceBuffer<Pos> rows(size, stream);
  batches.collect_async(batch, keys.data(), rows.data(), stream);
  const ChosenRows chosen = choose_samples(samples, rows, size, stream);
  keys = gathered_async(keys, chosen, stream);
  rows = gathered_async(rows, chosen, stream);
  if (chosen.count == 0) return {};
  return sort_async(std::move(keys), std::move(rows), batches.key_bits(batch), stream);
}

template <class Pos>
DeviceBuffer<Pos> separator_rows_async(const TextView& d_text, DeviceStream stream) {
  DeviceBuffer<Pos> rows(d_text.segments.count, stream);
  separators_kernel<<<blocks_for(rows.size(), tuning::block_threads), tuning::block_threads, 0,
                      stream>>>(d_text.segments, rows.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return rows;
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template SortedBatch<Narrow, Narrow> sort_batch_async(const TextBatches<Narrow>&, std::uint32_t,
                                                      DeviceStream);
template SortedBatch<Narrow, Wide> sort_batch_async(const TextBatches<Narrow>&, std::uint32_t,
                                                    DeviceStream);
template SortedBatch<Wide, Narrow> sort_batch_async(const TextBatches<Wide>&, std::uint32_t,
                                                    DeviceStream);
template SortedBatch<Wide, Wide> sort_batch_async(const TextBatches<Wide>&, std::uint32_t,
                                                  DeviceStream);
template SortedBatch<Narrow, Narrow> sort_samples(const TextBatches<Narrow>&, std::uint32_t,
                                                  const RankBitVector&, DeviceStream);
template SortedBatch<Narrow, Wide> sort_samples(const TextBatches<Narrow>&, std::uint32_t,
                                                const RankBitVector&, DeviceStream);
template SortedBatch<Wide, Narrow> sort_samples(const TextBatches<Wide>&, std::uint32_t,
                                                const RankBitVector&, DeviceStream);
template SortedBatch<Wide, Wide> sort_samples(const TextBatches<Wide>&, std::uint32_t,
                                              const RankBitVector&, DeviceStream);
template DeviceBuffer<Narrow> separator_rows_async(const TextView&, DeviceStream);
template DeviceBuffer<Wide> separator_rows_async(const TextView&, DeviceStream);

}  // namespace gsx::cuda
