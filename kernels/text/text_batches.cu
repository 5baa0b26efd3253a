#include <algorithm>
#include <cmath>
#include <cub/device/device_scan.cuh>

#include "base/bits.hpp"
#include "kernels/runtime/cub_temporary.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/text/text_batches.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;
using tuning::prefix_bits;
using tuning::tile_positions;

constexpr unsigned warps = block_threads / 32;
constexpr unsigned rounds = tile_positions / block_threads;  // each warp scans 32 * rounds in order
constexpr std::uint32_t prefixes = 1u << prefix_bits;
constexpr std::uint8_t no_batch = tuning::max_batches;

struct Suffix {
  std::uint64_t leading;
  std::uint32_t before;  ///< code in the slot before it
  bool exists;           ///< not a separator, nor behind the text's end
};

/// A tile of text positions as its block sees it. Most tiles of a genome hold no separator, and
/// their suffixes' bits are plain loads.
class Tile {
 public:
  /// For the whole block.
  __device__ Tile(const TextView& text, std::uint64_t index)
      : bits_{text}, begin_(index * tile_positions) {
    __shared__ bool plain;
    __syncthreads();  // what an earlier tile said has been read
    if (threadIdx.x == 0) {
      const std::uint64_t end = begin_ + tile_positions + 64;  // as far as any load reaches
      plain = begin_ > 0 && end < text.length() && text.segments.separator_from(begin_ - 1) >= end;
    }
    __syncthreads();
    plain_ = plain;
  }
  /// Position that a lane looks at in one round: a warp's positions follow one another.
  __device__ std::uint64_t position(unsigned round) const {
    return begin_ + (threadIdx.x / 32) * 32 * rounds + round * 32 + threadIdx.x % 32;
  }
  __device__ Suffix suffix(std::uint64_t p) const {
    const TextView& text = bits_.text;
    if (plain_) return {text.symbols.window(p), 0, true};
    if (p >= text.length()) return {0, 0, false};
    const std::uint64_t segment = text.segments.segment_at(p);
    const std::uint64_t separator = text.segments.starts[segment + 1] - 1;
    if (p == separator) return {0, 0, false};
    return {bits_.at(p, separator), 0, true};
  }
  /// The same with the code before it. If that is known to be short, one load gives both, and the
  /// leading bits have that many fewer that are valid.
  template <bool short_code>
  __device__ Suffix suffix_and_before(std::uint64_t p) const {
    const TextView& text = bits_.text;
    if (short_code && plain_) {
      const std::uint64_t window = text.symbols.window(p - 1);
      return {window << text.symbols.bits,
              static_cast<std::uint32_t>(window >> (64 - text.symbols.bits)), true};
    }
    Suffix suffix = this->suffix(p);
    if (suffix.exists && p > 0) suffix.before = static_cast<std::uint32_t>(text.symbols[p - 1]);
    return suffix;
  }

 private:
  LeadingBits bits_;
  std::uint64_t begin_;
  bool plain_;
};

__device__ std::uint32_t prefix_of(std::uint64_t leading) {
  return static_cast<std::uint32_t>(leading >> (64 - prefix_bits));
}

/// counts[prefix] += suffixes with that prefix.
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(TextView text, std::uint64_t tiles, unsigned long long* d_counts) {
  __shared__ std::uint32_t counts[prefixes];
  for (unsigned i = threadIdx.x; i < prefixes; i += block_threads)
    counts[i] = 0;
  for (std::uint64_t index = blockIdx.x; index < tiles; index += gridDim.x) {
    const Tile tile(text, index);
    for (unsigned round = 0; round < rounds; ++round) {
      const Suffix suffix = tile.suffix(tile.position(round));
      if (suffix.exists) atomicAdd(&counts[prefix_of(suffix.leading)], 1u);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < prefixes; i += block_threads) {
    if (counts[i] != 0) atomicAdd(&d_counts[i], static_cast<unsigned long long>(counts[i]));
  }
}

/// counts[b * tiles + tile] = suffixes of batch b in a tile; batch_of maps prefixes to batches.
__global__ void __launch_bounds__(block_threads)
    count_kernel(TextView text, const std::uint8_t* d_batch_of, std::uint32_t batches,
                 std::uint64_t* d_counts) {
  __shared__ std::uint32_t counts[tuning::max_batches + 1];
  for (unsigned b = threadIdx.x; b <= tuning::max_batches; b += block_threads)
    counts[b] = 0;
  const Tile tile(text, blockIdx.x);
  for (unsigned round = 0; round < rounds; ++round) {
    const Suffix suffix = tile.suffix(tile.position(round));
    const std::uint32_t batch = suffix.exists ? d_batch_of[prefix_of(suffix.leading)] : no_batch;
    const std::uint32_t peers = __match_any_sync(~0u, batch);
    if (threadIdx.x % 32 == static_cast<unsigned>(__ffs(static_cast<int>(peers)) - 1)) {
      atomicAdd(&counts[batch], static_cast<std::uint32_t>(__popc(peers)));
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < batches; b += block_threads) {
    d_counts[std::uint64_t{b} * gridDim.x + blockIdx.x] = counts[b];
  }
}

/// Writes a batch's suffixes in text order, from where offsets[tile] - base says.
template <class Key, class Pos>
__global__ void __launch_bounds__(block_threads)
    collect_kernel(TextView text, BatchKeys batch, const std::uint64_t* d_offsets,
                   std::uint64_t base, Key* d_keys, Pos* d_positions) {
  __shared__ std::uint32_t warp_counts[warps];
  const Tile tile(text, blockIdx.x);
  Key keys[rounds];
  std::uint32_t chosen[rounds];  // lanes of the warp that have a suffix in this round
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const Suffix suffix = tile.suffix_and_before<sizeof(Key) == 4>(tile.position(round));
    keys[round] = batch.key<Key>(suffix.leading, suffix.before);
    chosen[round] = __ballot_sync(~0u, suffix.exists && batch.holds(suffix.leading));
    sum += static_cast<std::uint32_t>(__popc(chosen[round]));
  }
  if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = sum;
  __syncthreads();
  std::uint64_t out = d_offsets[blockIdx.x] - base;
  for (unsigned w = 0; w < threadIdx.x / 32; ++w)
    out += warp_counts[w];
  const std::uint32_t lower_lanes = (1u << (threadIdx.x % 32)) - 1;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    if ((chosen[round] >> (threadIdx.x % 32) & 1) != 0) {
      const std::uint64_t slot =
          out + static_cast<std::uint32_t>(__popc(chosen[round] & lower_lanes));
      d_keys[slot] = keys[round];
      d_positions[slot] = static_cast<Pos>(tile.position(round));
    }
    out += static_cast<std::uint32_t>(__popc(chosen[round]));
  }
}

std::vector<unsigned long long> count_prefixes(const TextView& text, std::uint64_t tiles,
                                               DeviceStream stream) {
  DeviceBuffer<unsigned long long> d_counts(prefixes, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes(), stream));
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(tiles, 132 * 8));
  histogram_kernel<<<blocks, block_threads, 0, stream>>>(text, tiles, d_counts.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<unsigned long long> counts(prefixes);
  d_counts.copy_to_async(counts.data());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return counts;
}

/// Leading bits by which most suffixes of a text are told apart, as far as the entropy of their
/// prefixes tells: enough for `spare` times as many as there are.
std::uint32_t telling_bits(const std::vector<unsigned long long>& counts, std::uint64_t total) {
  if (total == 0) return 0;
  double entropy = 0;
  for (const unsigned long long count : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(total);
    if (count != 0) entropy -= share * std::log2(share);
  }
  const double wanted = std::log2(static_cast<double>(total)) + tuning::spare_key_bits;
  const double per_bit = std::max(entropy, 0.1) / prefix_bits;
  return static_cast<std::uint32_t>(std::min(64.0, std::ceil(wanted / per_bit)));
}

/// Keys of the batch with prefixes [first, last): at least the first `wanted` bits, in whole digits
/// of the radix sort, as far as `key_bits` can hold them and they are valid.
BatchKeys keys_between(std::uint32_t first, std::uint32_t last, std::uint32_t wanted,
                       std::uint32_t key_bits, std::uint32_t valid_bits) {
  const std::uint32_t range_bits = bits_for(last - first - 1);
  const std::uint32_t known = prefix_bits - range_bits;  // the same for all suffixes of the batch
  const auto digits = static_cast<std::uint32_t>(
      divide_up(std::max(wanted, prefix_bits) - known, tuning::digit_bits));
  BatchKeys keys;
  keys.bits = std::min(valid_bits, known + std::min(key_bits, digits * tuning::digit_bits));
  keys.begin = std::uint64_t{first} << (keys.bits - prefix_bits);
  keys.end = std::uint64_t{last} << (keys.bits - prefix_bits);
  return keys;
}

}  // namespace

template <class Key>
TextBatches<Key>::TextBatches(const TextView& d_text, std::uint64_t limit, DeviceStream stream)
    : text_(d_text) {
  const std::uint64_t tiles = divide_up(text_.length(), tile_positions);
  const auto counts = count_prefixes(text_, tiles, stream);
  const std::uint64_t total = text_.length() - text_.segments.count;
  // Fewer, larger batches than asked for rather than more than can be numbered.
  limit = std::max(limit, 2 * total / tuning::max_batches + 1);
  constexpr std::uint32_t key_bits = 8 * sizeof(Key) - carried_bits_of<Key>;
  // A load that begins one symbol early is sure to give these bits only.
  const std::uint32_t valid_bits =
      LeadingBits{text_}.valid() - (sizeof(Key) == 4 ? text_.symbols.bits : 0);
  const std::uint32_t wanted = sizeof(Key) == 4 ? 64 : telling_bits(counts, total);
  std::vector<std::uint8_t> batch_of(prefixes);
  // Cut where the batches come out even, the last one too.
  const std::uint64_t even = total / std::max<std::uint64_t>(1, divide_up(total, limit));
  std::uint32_t first = 0;
  std::uint64_t size = 0, done = 0;
  for (std::uint32_t prefix = 0; prefix <= prefixes; ++prefix) {
    const bool end = prefix == prefixes;
    if (size == 0) first = prefix;
    const bool full = !end && (done + counts[prefix] / 2 >= (count() + 1) * even ||
                               size + counts[prefix] > limit + limit / 16);
    if (size > 0 && (end || full) && (end || count() + 1 < tuning::max_batches)) {
      bases_.push_back(done - size);
      sizes_.push_back(size);
      keys_.push_back(keys_between(first, prefix, wanted, key_bits, valid_bits));
      first = prefix;
      size = 0;
    }
    if (end) break;
    size += counts[prefix];
    done += counts[prefix];
    batch_of[prefix] = static_cast<std::uint8_t>(count());
  }
  if (count() == 0) return;
  offsets_ = DeviceBuffer<std::uint64_t>(tiles * count(), stream);
  DeviceBuffer<std::uint8_t> d_batch_of(prefixes, stream);
  d_batch_of.copy_from_async(batch_of.data());
  count_kernel<<<static_cast<unsigned>(tiles), block_threads, 0, stream>>>(
      text_, d_batch_of.data(), count(), offsets_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(workspace, bytes, offsets_.data(), offsets_.data(),
                                             offsets_.size(), stream);
      },
      stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));  // the copied table lives here
}

template <class Key>
std::uint32_t TextBatches<Key>::key_bits(std::uint32_t batch) const {
  return bits_for(keys_[batch].end - keys_[batch].begin - 1) + carried_bits_of<Key>;
}

template <class Key>
template <class Pos>
void TextBatches<Key>::collect_async(std::uint32_t batch, Key* d_keys, Pos* d_positions,
                                     cudaStream_t stream) const {
  const std::uint64_t tiles = divide_up(text_.length(), tile_positions);
  collect_kernel<<<static_cast<unsigned>(tiles), block_threads, 0, stream>>>(
      text_, keys_[batch], offsets_.data() + batch * tiles, bases_[batch], d_keys, d_positions);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template class TextBatches<std::uint32_t>;
template class TextBatches<std::uint64_t>;
template void TextBatches<std::uint32_t>::collect_async(std::uint32_t, std::uint32_t*,
                                                        std::uint32_t*, cudaStream_t) const;
template void TextBatches<std::uint32_t>::collect_async(std::uint32_t, std::uint32_t*,
                                                        std::uint64_t*, cudaStream_t) const;
template void TextBatches<std::uint64_t>::collect_async(std::uint32_t, std::uint64_t*,
                                                        std::uint32_t*, cudaStream_t) const;
template void TextBatches<std::uint64_t>::collect_async(std::uint32_t, std::uint64_t*,
                                                        std::uint64_t*, cudaStream_t) const;

}  // namespace gsx::cuda
