#include "base/bits.hpp"
#include "base/packed.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/base_words.cuh"
#include "kernels/search/exact/packed_patterns.hpp"
#include "kernels/search/mismatches/seed_preparation.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Sets that one thread packs: two words of 16.
constexpr std::uint32_t sets_per_thread = 32;

/// code_of() of four sets, a byte each; some code below 4 for sets of several bases or none.
__device__ std::uint32_t codes_of(std::uint32_t sets) {
  return ((sets >> 1 & 0x07070707) - (sets >> 3 & 0x01010101)) & 0x03030303;
}

__global__ void __launch_bounds__(block_threads) pack_sets_kernel(SeedPreparation seeds) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t begin = thread * sets_per_thread;
  if (2 * thread >= packed_words(seeds.symbols, 2)) return;
  for (std::uint32_t part = 0; part < 2; ++part) {
    const std::uint64_t at = begin + 16 * part;
    // Sets begin at an aligned address.
    const uint4 sets =
        at < seeds.symbols ? *reinterpret_cast<const uint4*>(seeds.sets + at) : uint4{};
    const std::uint32_t codes[4] = {codes_of(sets.x), codes_of(sets.y), codes_of(sets.z),
                                    codes_of(sets.w)};
    seeds.packed[2 * thread + part] = pack_16_bases(codes);
  }
}

__global__ void __launch_bounds__(block_threads) strands_kernel(SeedPreparation seeds) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t pattern = thread / tuning::seed_pattern_threads;
  const auto lane = static_cast<std::uint32_t>(thread % tuning::seed_pattern_threads);
  if (pattern >= seeds.patterns) return;
  const SeedEntry entry = seeds.entries[pattern];
  for (std::uint32_t i = entry.first_piece + lane; i < entry.last_piece;
       i += tuning::seed_pattern_threads) {
    const SeedPiece piece = seeds.pieces[i];
    seeds.piece_begins[i] = entry.begin + piece.begin;
    seeds.piece_ends[i] = entry.begin + piece.begin + piece.length;
    seeds.foreign[i] = 0;
  }
  const PackedView symbols{reinterpret_cast<const std::uint8_t*>(seeds.packed), seeds.symbols, 2};
  const std::uint64_t own = StrandMasks::words_for(entry.length, entry.has_sets);
  for (std::uint64_t i = lane; i < 2 * own; i += tuning::seed_pattern_threads) {
    const bool reverse = i >= own;
    seeds.words[entry.first_word + i] =
        entry.has_sets ? seeds.set_words[entry.first_word + i]
                       : strand_word(symbols, entry, reverse, reverse ? i - own : i);
  }
}

}  // namespace

void prepare_seeds_async(const SeedPreparation& seeds, DeviceStream stream) {
  if (seeds.symbols == 0) return;
  // An even number: whole threads, and what may be read behind the last symbol.
  const std::uint64_t packing = packed_words(seeds.symbols, 2) / 2;
  pack_sets_kernel<<<blocks_for(packing, block_threads), block_threads, 0, stream>>>(seeds);
  GSX_CUDA_CHECK(cudaGetLastError());
  const std::uint64_t threads = std::uint64_t{seeds.patterns} * tuning::seed_pattern_threads;
  strands_kernel<<<blocks_for(threads, block_threads), block_threads, 0, stream>>>(seeds);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda
