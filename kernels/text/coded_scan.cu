#include "kernels/text/scan_kernels.cuh"

namespace gsx::cuda {
namespace {

using scanning::block_threads;
using scanning::no_prefix;
using scanning::prefix_bits;
using scanning::rounds;
using scanning::slot_of;
using scanning::tile_positions;
using scanning::warps;

/// Most symbols of a stream that are looked at: a word has at least one bit.
constexpr unsigned reach = 64;
constexpr unsigned slots = tile_positions + reach;

/// Text of a tile, and of what its suffixes reach, in shared memory.
struct TileText {
  AlphabeticWord words[slots];    ///< of each symbol behind the one before it; 0 at a separator
  std::uint8_t codes[slots + 1];  ///< [i + 1] = the symbol at slot i
};

/// The first bits of a suffix's stream, and how many symbols are whole in them.
struct Stream {
  std::uint64_t bits;
  std::uint32_t symbols;
};

/// A tile of text positions as its block sees it.
class CodedTile {
 public:
  using Scan = CodedScan;
  using Shared = TileText;

  /// For the whole block.
  __device__ CodedTile(const CodedScan& scan, std::uint64_t index, TileText& text)
      : code_(scan.code), text_(text), begin_(index * tile_positions) {
    const PackedView& symbols = scan.text.symbols;
    const std::uint64_t end = scan.text.length();
    __syncthreads();  // an earlier tile has been read
    for (unsigned i = threadIdx.x; i <= slots; i += block_threads) {
      const std::uint64_t p = begin_ + i - 1;
      text.codes[i] = p < end ? static_cast<std::uint8_t>(symbols[p]) : 0;
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < slots; i += block_threads) {
      text.words[i] =
          begin_ + i < end ? code_.following(text.codes[i], text.codes[i + 1]) : AlphabeticWord{0};
    }
    __syncthreads();
    const SegmentsView& segments = scan.text.segments;
    const std::uint64_t last =
        segments.segment_at((begin_ + slots < end ? begin_ + slots : end) - 1);
    for (std::uint64_t s = segments.segment_at(begin_) + threadIdx.x; s <= last;
         s += block_threads) {
      const std::uint64_t slot = segments.starts[s + 1] - 1 - begin_;
      if (slot < slots) text.words[slot] = 0;
    }
    __syncthreads();
  }

  std::uint64_t __device__ position(unsigned slot) const { return begin_ + slot; }
  /// Whether a suffix begins there rather than a separator.
  bool __device__ exists(unsigned slot) const { return text_.words[slot] != 0; }
  std::uint32_t __device__ before(unsigned slot) const { return text_.codes[slot]; }

  /// The first `bits` bits of the stream of a suffix, at most 62; what follows them is unspecified.
  __device__ Stream stream(unsigned slot, std::uint32_t bits) const {
    Stream stream{0, 0};
    std::uint32_t used = 0;
    AlphabeticWord word = code_.first[text_.codes[slot + 1]];
    for (;;) {
      stream.bits |= word_bits(word) >> used;
      used += word_length(word);
      if (used > bits) return stream;
      ++stream.symbols;
      word = text_.words[++slot];
      if (word == 0) break;
    }
    // The suffix has ended: as if the smallest symbol went on, whose words are zeros.
    used += word_length(code_.following(text_.codes[slot], 0));
    if (used <= bits) stream.symbols += 1 + (bits - used) / word_length(code_.following(0, 0));
    return stream;
  }
  /// Of the suffix that a thread looks at in one round; no_prefix if there is none.
  __device__ std::uint32_t prefix(unsigned round) const {
    const unsigned slot = slot_of(round);
    return exists(slot) ? scanning::prefix_of(stream(slot, prefix_bits).bits) : no_prefix;
  }

 private:
  const SymbolCodeView& code_;
  const TileText& text_;
  std::uint64_t begin_;
};

/// Chooses the suffixes of the batch first: few words tell, and the whole stream is then read of
/// those alone.
template <class Pos>
__global__ void __launch_bounds__(block_threads)
    coded_collect_kernel(CodedScan scan, BatchKeys batch, const std::uint64_t* d_offsets,
                         std::uint64_t base, std::uint64_t* d_keys, Pos* d_positions) {
  __shared__ TileText text;
  __shared__ std::uint16_t chosen_slots[tile_positions];
  __shared__ std::uint32_t warp_counts[warps];
  const CodedTile tile(scan, blockIdx.x, text);
  std::uint32_t chosen[rounds];  // lanes of the warp that have a suffix in this round
  std::uint32_t sum = 0;
  const std::uint64_t first = batch.begin >> (batch.bits - prefix_bits);
  const std::uint64_t end = batch.end >> (batch.bits - prefix_bits);
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    const std::uint32_t prefix = tile.prefix(round);
    chosen[round] = __ballot_sync(~0u, prefix >= first && prefix < end);
    sum += static_cast<std::uint32_t>(__popc(chosen[round]));
  }
  if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = sum;
  __syncthreads();
  std::uint32_t before = 0, all = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < threadIdx.x / 32) before += warp_counts[w];
    all += warp_counts[w];
  }
  const std::uint32_t lower_lanes = (1u << (threadIdx.x % 32)) - 1;
#pragma unroll
  for (unsigned round = 0; round < rounds; ++round) {
    if ((chosen[round] >> (threadIdx.x % 32) & 1) != 0) {
      chosen_slots[before + static_cast<std::uint32_t>(__popc(chosen[round] & lower_lanes))] =
          static_cast<std::uint16_t>(slot_of(round));
    }
    before += static_cast<std::uint32_t>(__popc(chosen[round]));
  }
  __syncthreads();
  const std::uint64_t out = d_offsets[blockIdx.x] - base;
  for (std::uint32_t i = threadIdx.x; i < all; i += block_threads) {
    const unsigned slot = chosen_slots[i];
    const Stream stream = tile.stream(slot, batch.bits);
    d_keys[out + i] = batch.key<std::uint64_t>(
        stream.bits, carry<std::uint64_t>(tile.before(slot), stream.symbols));
    d_positions[out + i] = static_cast<Pos>(tile.position(slot));
  }
}

}  // namespace

void count_prefixes_async(const CodedScan& scan, unsigned long long* d_counts,
                          cudaStream_t stream) {
  scanning::count_prefixes_async<CodedTile>(scan, d_counts, stream);
}

void count_suffixes_async(const CodedScan& scan, const std::uint8_t* d_batch_of,
                          std::uint32_t batches, std::uint64_t* d_counts, cudaStream_t stream) {
  scanning::count_suffixes_async<CodedTile>(scan, d_batch_of, batches, d_counts, stream);
}

template <class Pos>
void collect_suffixes_async(const CodedScan& scan, const BatchKeys& batch,
                            const std::uint64_t* d_offsets, std::uint64_t base,
                            std::uint64_t* d_keys, Pos* d_positions, cudaStream_t stream) {
  coded_collect_kernel<<<scanning::tiles_of(scan.text), block_threads, 0, stream>>>(
      scan, batch, d_offsets, base, d_keys, d_positions);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template void collect_suffixes_async(const CodedScan&, const BatchKeys&, const std::uint64_t*,
                                     std::uint64_t, std::uint64_t*, std::uint32_t*, cudaStream_t);
template void collect_suffixes_async(const CodedScan&, const BatchKeys&, const std::uint64_t*,
                                     std::uint64_t, std::uint64_t*, std::uint64_t*, cudaStream_t);

}  // namespace gsx::cuda
