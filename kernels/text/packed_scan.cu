#include "kernels/text/scan_kernels.cuh"

namespace gsx::cuda {
namespace {

using scanning::block_threads;
using scanning::no_prefix;
using scanning::rounds;
using scanning::tile_positions;
using scanning::warps;

struct Suffix {
  std::uint64_t leading;
  std::uint32_t before;  ///< code in the slot before it
  bool exists;           ///< not a separator, nor behind the text's end
};

/// A tile of text positions as its block sees it. Most tiles of a genome hold no separator, and
/// their suffixes' bits are plain loads.
class PackedTile {
 public:
  using Scan = PackedScan;
  struct Shared {
    bool plain;
  };

  /// For the whole block.
  __device__ PackedTile(const PackedScan& scan, std::uint64_t index, Shared& shared)
      : bits_{scan.text}, begin_(index * tile_positions) {
    __syncthreads();  // what an earlier tile said has been read
    if (threadIdx.x == 0) {
      const std::uint64_t end = begin_ + tile_positions + 64;  // as far as any load reaches
      const TextView& text = scan.text;
      shared.plain =
          begin_ > 0 && end < text.length() && text.segments.separator_from(begin_ - 1) >= end;
    }
    __syncthreads();
    plain_ = shared.plain;
  }
  /// Position that a lane looks at in one round: a warp's positions follow one another.
  __device__ std::uint64_t position(unsigned round) const {
    return begin_ + scanning::slot_of(round);
  }
  /// Of the suffix there; no_prefix if there is none.
  __device__ std::uint32_t prefix(unsigned round) const {
    const Suffix suffix = this->suffix(position(round));
    return suffix.exists ? scanning::prefix_of(suffix.leading) : no_prefix;
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

/// Writes a batch's suffixes in text order, from where offsets[tile] - base says.
template <class Key, class Pos>
__global__ void __launch_bounds__(block_threads)
    collect_kernel(PackedScan scan, BatchKeys batch, const std::uint64_t* d_offsets,
                   std::uint64_t base, Key* d_keys, Pos* d_positions) {
  __shared__ std::uint32_t warp_counts[warps];
  __shared__ PackedTile::Shared shared;
  const PackedTile tile(scan, blockIdx.x, shared);
  Key keys[rounds];
  std::uint32_t chosen[rounds];  // lanes of the warp that have a suffix in this round
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const Suffix suffix = tile.suffix_and_before<sizeof(Key) == 4>(tile.position(round));
    keys[round] = batch.key<Key>(suffix.leading,
                                 carry<Key>(suffix.before, batch.bits / scan.text.symbols.bits));
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

}  // namespace

void count_prefixes_async(const PackedScan& scan, unsigned long long* d_counts,
                          cudaStream_t stream) {
  scanning::count_prefixes_async<PackedTile>(scan, d_counts, stream);
}

void count_suffixes_async(const PackedScan& scan, const std::uint8_t* d_batch_of,
                          std::uint32_t batches, std::uint64_t* d_counts, cudaStream_t stream) {
  scanning::count_suffixes_async<PackedTile>(scan, d_batch_of, batches, d_counts, stream);
}

template <class Key, class Pos>
void collect_suffixes_async(const PackedScan& scan, const BatchKeys& batch,
                            const std::uint64_t* d_offsets, std::uint64_t base, Key* d_keys,
                            Pos* d_positions, cudaStream_t stream) {
  collect_kernel<<<scanning::tiles_of(scan.text), block_threads, 0, stream>>>(
      scan, batch, d_offsets, base, d_keys, d_positions);
  GSX_CUDA_CHECK(cudaGetLastError());
}

using Narrow = std::uint32_t;
using Wide = std::uint64_t;
template void collect_suffixes_async(const PackedScan&, const BatchKeys&, const std::uint64_t*,
                                     std::uint64_t, Narrow*, Narrow*, cudaStream_t);
template void collect_suffixes_async(const PackedScan&, const BatchKeys&, const std::uint64_t*,
                                     std::uint64_t, Narrow*, Wide*, cudaStream_t);
template void collect_suffixes_async(const PackedScan&, const BatchKeys&, const std::uint64_t*,
                                     std::uint64_t, Wide*, Narrow*, cudaStream_t);
template void collect_suffixes_async(const PackedScan&, const BatchKeys&, const std::uint64_t*,
                                     std::uint64_t, Wide*, Wide*, cudaStream_t);

}  // namespace gsx::cuda
