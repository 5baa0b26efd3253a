#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/tied_rows.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Whether a row is tied to the row before.
struct TiedBits {
  RankBitVector bits;
  GSX_HD bool operator()(std::uint64_t row) const { return bits.test(row); }
};

/// Whether a row is tied to one of its neighbours.
template <class Ties>
struct InGroup {
  Ties ties;
  std::uint64_t count;
  __host__ __device__ bool operator()(std::uint64_t row) const {
    return ties(row) || (row + 1 < count && ties(row + 1));
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

/// A bit per row: whether it is tied to the row before.
struct TieWords {
  const std::uint32_t* d_words;
  std::uint64_t count;
  /// Rows of a word that are tied to one of their neighbours.
  __host__ __device__ std::uint32_t in_groups(std::uint64_t w) const {
    const std::uint32_t next = w + 1 < count ? d_words[w + 1] : 0;
    return d_words[w] | d_words[w] >> 1 | next << 31;
  }
};

struct RowsInGroups {
  TieWords words;
  __host__ __device__ std::uint32_t operator()(std::uint32_t w) const {
    return popcount32(words.in_groups(w));
  }
};

/// A warp looks at 32 words, which its lanes load together, and skips those with no row in a group.
template <class Pos>
__global__ void gather_words_kernel(TieWords words, const std::uint32_t* d_ends,
                                    const Pos* d_stretch, std::uint32_t* d_rows, Pos* d_positions,
                                    std::uint8_t* d_heads) {
  const auto lane = static_cast<unsigned>(threadIdx.x % 32);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x - lane;
  const bool exists = first + lane < words.count;
  const std::uint32_t own_ties = exists ? words.d_words[first + lane] : 0;
  const std::uint32_t own_chosen = exists ? words.in_groups(first + lane) : 0;
  const std::uint32_t own_end = exists ? d_ends[first + lane] : 0;
  for (std::uint32_t left = __ballot_sync(~0u, own_chosen != 0); left != 0; left &= left - 1) {
    const auto k = static_cast<int>(lowest_bit32(left));
    const std::uint32_t chosen = __shfl_sync(~0u, own_chosen, k);
    const std::uint32_t ties = __shfl_sync(~0u, own_ties, k);
    const std::uint32_t end = __shfl_sync(~0u, own_end, k);
    if ((chosen >> lane & 1) == 0) continue;
    const std::uint64_t row = (first + static_cast<unsigned>(k)) * 32 + lane;
    const std::uint32_t slot = end - popcount32(chosen >> lane);
    d_rows[slot] = static_cast<std::uint32_t>(row);
    d_positions[slot] = d_stretch[row];
    d_heads[slot] = (ties >> lane & 1) != 0 ? 0 : 1;
  }
}

/// Makes slots of a stretch's rows.
template <class Ties, class Pos>
struct GatherRows {
  Ties ties;
  const Pos* d_stretch;
  std::uint32_t* d_rows;
  Pos* d_positions;
  std::uint8_t* d_heads;
  __device__ void keep(std::uint64_t row, std::uint64_t slot) const {
    d_rows[slot] = static_cast<std::uint32_t>(row);
    d_positions[slot] = d_stretch[row];
    d_heads[slot] = ties(row) ? 0 : 1;
  }
  __device__ void drop(std::uint64_t) const {}
};

/// Moves slots together; those dropped go to their rows.
template <class Pos>
struct MoveSlots {
  const std::uint32_t* d_rows;
  const Pos* d_positions;
  const std::uint8_t* d_heads;
  std::uint32_t* d_new_rows;
  Pos* d_new_positions;
  std::uint8_t* d_new_heads;
  Pos* d_stretch;  ///< may be null
  __device__ void keep(std::uint64_t from, std::uint64_t to) const {
    d_new_rows[to] = d_rows[from];
    d_new_positions[to] = d_positions[from];
    d_new_heads[to] = d_heads[from];
  }
  __device__ void drop(std::uint64_t slot) const {
    if (d_stretch != nullptr) d_stretch[d_rows[slot]] = d_positions[slot];
  }
};

constexpr std::uint8_t group_mark = TiedRows<std::uint32_t>::group_mark;

struct Marked {
  const std::uint8_t* d_heads;
  __host__ __device__ bool operator()(std::uint64_t i) const {
    return (d_heads[i] & group_mark) != 0;
  }
};

/// Moves marked slots together; those dropped go to their rows, tied or not.
template <class Pos>
struct MoveMarked {
  MoveSlots<Pos> move;
  std::uint32_t* d_tied;
  __device__ void keep(std::uint64_t from, std::uint64_t to) const {
    move.keep(from, to);
    move.d_new_heads[to] ^= group_mark;
  }
  __device__ void drop(std::uint64_t slot) const {
    move.drop(slot);
    const std::uint32_t row = move.d_rows[slot];
    if (move.d_heads[slot] == 0) atomicOr(&d_tied[row / 32], 1u << (row % 32));
  }
};

template <class Pos>
__global__ void store_kernel(const std::uint32_t* d_rows, const Pos* d_positions,
                             std::uint64_t size, Pos* d_stretch) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_stretch[d_rows[i]] = d_positions[i];
}

__global__ void mark_kernel(const std::uint32_t* d_rows, const std::uint8_t* d_heads,
                            std::uint64_t size, std::uint32_t* d_tied) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size && d_heads[i] == 0) atomicOr(&d_tied[d_rows[i] / 32], 1u << (d_rows[i] % 32));
}

__global__ void tied_bits_kernel(const std::uint32_t* d_rows, const std::uint8_t* d_heads,
                                 std::uint64_t size, RankBitBlock* d_blocks) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size || d_heads[i] != 0) return;
  const std::uint32_t in_block = d_rows[i] % RankBitBlock::bits;
  atomicOr(&d_blocks[d_rows[i] / RankBitBlock::bits].words[in_block / 32], 1u << (in_block % 32));
}

}  // namespace

SlotEnds slot_ends(const DeviceBuffer<std::uint32_t>& tied, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> ends(tied.size(), stream);
  const auto counts = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                      RowsInGroups{{tied.data(), tied.size()}});
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, counts, ends.data(), ends.size(),
                                             stream);
      },
      stream);
  Mail mail(stream);
  mail.copy_async(ends.data() + ends.size() - 1, sizeof(std::uint32_t), 0);
  mail.wait();
  return {std::move(ends), static_cast<std::uint32_t>(mail.letter(0))};
}

template <class Pos>
void TiedRows<Pos>::allocate(std::uint64_t size) {
  size_ = size;
  rows_ = DeviceBuffer<std::uint32_t>(size_, stream_);
  positions_ = DeviceBuffer<Pos>(size_, stream_);
  other_positions_ = DeviceBuffer<Pos>(size_, stream_);
  heads_ = DeviceBuffer<std::uint8_t>(size_, stream_);
  other_heads_ = DeviceBuffer<std::uint8_t>(size_, stream_);
}

template <class Pos>
template <class Ties>
void TiedRows<Pos>::gather(const Ties& ties, const Pos* d_rows, std::uint64_t count) {
  const Selection<InGroup<Ties>> selection({ties, count}, count, stream_);
  if (selection.size() == 0) return;
  allocate(selection.size());
  selection.move_async(
      GatherRows<Ties, Pos>{ties, d_rows, rows_.data(), positions_.data(), heads_.data()});
}

template <class Pos>
TiedRows<Pos>::TiedRows(const DeviceBuffer<Pos>& rows, const DeviceBuffer<std::uint32_t>& tied,
                        const SlotEnds& ends, DeviceStream stream)
    : stream_(stream) {
  if (ends.count == 0) return;
  allocate(ends.count);
  const TieWords words{tied.data(), tied.size()};
  gather_words_kernel<<<blocks_for(words.count, block_threads), block_threads, 0, stream>>>(
      words, ends.of_words.data(), rows.data(), rows_.data(), positions_.data(), heads_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
TiedRows<Pos>::TiedRows(const DeviceBuffer<Pos>& rows, const RankBitVector& tied,
                        DeviceStream stream)
    : stream_(stream) {
  gather(TiedBits{tied}, rows.data(), rows.size());
}

template <class Pos>
std::uint64_t* TiedRows<Pos>::keys() {
  if (keys_.size() < size_) keys_ = DeviceBuffer<std::uint64_t>(size_, stream_);
  return keys_.data();
}

template <class Pos>
void TiedRows<Pos>::forget_keys() {
  keys_ = DeviceBuffer<std::uint64_t>();
}

template <class Pos>
void TiedRows<Pos>::sort(std::uint32_t key_bits, EndedKeys ended) {
  any_large_ = sort_groups(keys_.data(), slots(), other_slots(), size_, any_large_, key_bits, ended,
                           stream_);
  swap_slots();
}

template <class Pos>
void TiedRows<Pos>::swap_slots() {
  std::swap(positions_, other_positions_);
  std::swap(heads_, other_heads_);
}

template <class Pos>
void TiedRows<Pos>::store_async(DeviceBuffer<Pos>& rows) {
  store_kernel<<<blocks_for(size_, block_threads), block_threads, 0, stream_>>>(
      rows_.data(), positions_.data(), size_, rows.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void TiedRows<Pos>::mark_async(DeviceBuffer<std::uint32_t>& tied) const {
  mark_kernel<<<blocks_for(size_, block_threads), block_threads, 0, stream_>>>(
      rows_.data(), heads_.data(), size_, tied.data());
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <class Pos>
void TiedRows<Pos>::settle(DeviceBuffer<Pos>* rows) {
  Mail mail(stream_);
  settle(rows, mail);
}

/// Rows get their other array only now, when it can be short.
template <class Pos>
void TiedRows<Pos>::make_room(std::uint64_t count) {
  if (other_rows_.size() < count) other_rows_ = DeviceBuffer<std::uint32_t>(count, stream_);
}

template <class Pos>
void TiedRows<Pos>::take_moved(std::uint64_t count) {
  size_ = count;
  std::swap(rows_, other_rows_);
  std::swap(positions_, other_positions_);
  std::swap(heads_, other_heads_);
}

template <class Pos>
void TiedRows<Pos>::settle(DeviceBuffer<Pos>* rows, Mail& mail) {
  const Selection<NotAlone> selection({heads_.data(), size_}, size_, stream_, mail);
  make_room(selection.size());
  selection.move_async(MoveSlots<Pos>{
      rows_.data(), positions_.data(), heads_.data(), other_rows_.data(), other_positions_.data(),
      other_heads_.data(), rows == nullptr ? nullptr : rows->data()});
  take_moved(selection.size());
}

template <class Pos>
void TiedRows<Pos>::keep_marked(DeviceBuffer<Pos>& rows, DeviceBuffer<std::uint32_t>& tied) {
  const Selection<Marked> selection({heads_.data()}, size_, stream_);
  make_room(selection.size());
  selection.move_async(
      MoveMarked<Pos>{{rows_.data(), positions_.data(), heads_.data(), other_rows_.data(),
                       other_positions_.data(), other_heads_.data(), rows.data()},
                      tied.data()});
  take_moved(selection.size());
}

template <class Pos>
DeviceBuffer<RankBitBlock> TiedRows<Pos>::tied_bits(std::uint64_t count) {
  DeviceBuffer<RankBitBlock> blocks(RankBitVector::blocks_of(count), stream_);
  GSX_CUDA_CHECK(cudaMemsetAsync(blocks.data(), 0, blocks.bytes(), stream_));
  tied_bits_kernel<<<blocks_for(size_, block_threads), block_threads, 0, stream_>>>(
      rows_.data(), heads_.data(), size_, blocks.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  count_ranks(blocks, stream_);
  return blocks;
}

template class TiedRows<std::uint32_t>;
template class TiedRows<std::uint64_t>;

}  // namespace gsx::cuda
