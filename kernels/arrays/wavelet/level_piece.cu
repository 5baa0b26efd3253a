#include "kernels/arrays/rank/digit_sort.hpp"
#include "kernels/arrays/rank/rank_blocks.hpp"
#include "kernels/arrays/wavelet/level_piece.hpp"
#include "kernels/base/cub_temporary.hpp"

namespace gsx::cuda {
namespace {

/// Adds up the counts of a piece's superblocks, as if it was a level. They are few: a thread per
/// digit does it, and reads several at a time.
__global__ void accumulate_kernel(const QuadSuperblock* d_counts, unsigned superblocks,
                                  QuadSuperblock* d_before) {
  __shared__ std::uint64_t totals[4];
  const unsigned d = threadIdx.x;
  std::uint64_t next = 0;
#pragma unroll 8
  for (unsigned s = 0; s < superblocks; ++s)
    next += d_counts[s].counts[d];
  totals[d] = next;
  __syncthreads();
  next = 0;
  for (unsigned smaller = 0; smaller < d; ++smaller)
    next += totals[smaller];
#pragma unroll 8
  for (unsigned s = 0; s < superblocks; ++s) {
    d_before[s].counts[d] = next;
    next += d_counts[s].counts[d];
  }
}

}  // namespace

template <class Code>
void make_piece_async(const LevelPiece<Code>& piece, std::uint32_t shift, bool sorts,
                      cudaStream_t stream) {
  fill_digit_blocks_async(piece.d_codes, piece.size, shift, piece.block_count, piece.d_blocks,
                          piece.d_counts, stream);
  if (!sorts) return;
  const unsigned superblocks = blocks_for(piece.block_count, QuadSuperblock::blocks);
  accumulate_kernel<<<1, 4, 0, stream>>>(piece.d_counts, superblocks, piece.d_before);
  GSX_CUDA_CHECK(cudaGetLastError());
  QuadView level;
  level.blocks = piece.d_blocks;
  level.superblocks = piece.d_before;
  level.size = piece.size;
  sort_by_digit_async(level, piece.d_codes, shift, false, piece.d_sorted, stream);
}

template void make_piece_async(const LevelPiece<std::uint8_t>&, std::uint32_t, bool, cudaStream_t);
template void make_piece_async(const LevelPiece<std::uint16_t>&, std::uint32_t, bool, cudaStream_t);
template void make_piece_async(const LevelPiece<std::uint32_t>&, std::uint32_t, bool, cudaStream_t);

}  // namespace gsx::cuda
