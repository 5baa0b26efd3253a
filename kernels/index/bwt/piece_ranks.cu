#include <cub/device/device_scan.cuh>
#include <utility>

#include "base/bits.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/bwt/piece_ranks.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Lists begin at the first pieces of segments, which are the first pieces, and at one of every
/// list_pieces of the others, which a hash chooses: in a periodic text, pieces that follow one
/// another may be a multiple of list_pieces apart.
template <class Pos>
struct Lists {
  static constexpr Pos list_pieces = tuning::ranked_list_pieces;

  const WalkedPiece<Pos>* d_pieces;
  Pos segments;
  Pos pieces;
  Pos count;

  Lists(const DeviceBuffer<WalkedPiece<Pos>>& all, std::uint64_t segments_of_text)
      : d_pieces(all.data()),
        segments(static_cast<Pos>(segments_of_text)),
        pieces(static_cast<Pos>(all.size())),
        count(static_cast<Pos>(segments_of_text +
                               divide_up(all.size() - segments_of_text, list_pieces))) {}

  /// Where a window of pieces has the first one of a list; the last window may be shorter.
  __device__ Pos place_in(Pos window) const {
    const Pos left = pieces - segments - window * list_pieces;
    const Pos size = left < list_pieces ? left : list_pieces;
    return static_cast<Pos>(hash_of(static_cast<std::uint32_t>(window)) % size);
  }
  __device__ Pos first_piece(Pos list) const {
    if (list < segments) return list;
    const Pos window = list - segments;
    return segments + window * list_pieces + place_in(window);
  }
  /// Whether a list ends before this successor of a piece.
  __device__ bool ends_before(Pos next) const {
    if (next < segments) return true;
    const Pos window = (next - segments) / list_pieces;
    return next - segments - window * list_pieces == place_in(window);
  }
  /// The list that begins with this successor; or the end of a segment, as it is.
  __device__ Pos list_of(Pos next) const {
    return next < segments ? next : segments + (next - segments) / list_pieces;
  }
};

/// d_sums[list]: its symbols, and the list that follows. No step leads into a circle of pieces from
/// outside, so the loop ends.
template <class Pos>
__global__ void sum_kernel(Lists<Pos> lists, WalkedPiece<Pos>* d_sums) {
  const std::uint64_t list = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (list >= lists.count) return;
  WalkedPiece<Pos> sum{0, lists.first_piece(static_cast<Pos>(list))};
  do {
    const WalkedPiece<Pos> piece = lists.d_pieces[sum.next];
    sum.length += piece.length;
    sum.next = piece.next;
  } while (!lists.ends_before(sum.next));
  sum.next = lists.list_of(sum.next);
  d_sums[list] = sum;
}

/// Adds the lists that follow, twice as many each time, up to the end of the segment.
template <class Pos>
__global__ void jump_kernel(const WalkedPiece<Pos>* d_sums, Pos segments, std::uint64_t count,
                            WalkedPiece<Pos>* d_longer) {
  const std::uint64_t list = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (list >= count) return;
  WalkedPiece<Pos> sum = d_sums[list];
  if (sum.next >= segments) {
    const WalkedPiece<Pos> following = d_sums[sum.next];
    sum.length += following.length;
    sum.next = following.next;
  }
  d_longer[list] = sum;
}

/// The size of each segment, with its separator, and the segment of each separator.
template <class Pos>
__global__ void segments_kernel(const WalkedPiece<Pos>* d_sums, std::uint64_t segments,
                                Pos* d_sizes, Pos* d_segment_of) {
  const std::uint64_t segment = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (segment >= segments) return;
  const WalkedPiece<Pos> sum = d_sums[segment];
  d_sizes[segment] = sum.length + 1;
  if (sum.next < segments) d_segment_of[sum.next] = static_cast<Pos>(segment);
}

template <class Pos>
__global__ void place_kernel(Lists<Pos> lists, const WalkedPiece<Pos>* d_sums,
                             const Pos* d_segment_of, const Pos* d_segment_ends, Pos* d_ends) {
  const std::uint64_t list = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (list >= lists.count) return;
  const WalkedPiece<Pos> sum = d_sums[list];
  if (sum.next >= lists.segments) return;  // in a circle
  const Pos segment = d_segment_of[sum.next];
  const Pos start = segment == 0 ? 0 : d_segment_ends[segment - 1];
  Pos end = start + sum.length;
  Pos next = lists.first_piece(static_cast<Pos>(list));
  do {
    const WalkedPiece<Pos> piece = lists.d_pieces[next];
    d_ends[next] = end;
    end -= piece.length;
    next = piece.next;
  } while (!lists.ends_before(next));
}

}  // namespace

template <class Pos>
PieceEnds<Pos> rank_pieces(const DeviceBuffer<WalkedPiece<Pos>>& pieces,
                           const SplitterRows& splitters, DeviceStream stream) {
  const Lists<Pos> lists(pieces, splitters.segments);
  const unsigned list_blocks = blocks_for(lists.count, block_threads);
  DeviceBuffer<WalkedPiece<Pos>> sums(lists.count, stream), longer(lists.count, stream);
  sum_kernel<<<list_blocks, block_threads, 0, stream>>>(lists, sums.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  for (std::uint64_t reach = 1; reach < lists.count; reach *= 2) {
    jump_kernel<<<list_blocks, block_threads, 0, stream>>>(
        sums.data(), lists.segments, std::uint64_t{lists.count}, longer.data());
    GSX_CUDA_CHECK(cudaGetLastError());
    std::swap(sums, longer);
  }
  const std::uint64_t segments = splitters.segments;
  DeviceBuffer<Pos> segment_of(segments, stream);
  GSX_CUDA_CHECK(cudaMemsetAsync(segment_of.data(), 0, segment_of.bytes(), stream));
  PieceEnds<Pos> ends{DeviceBuffer<Pos>(pieces.size(), stream), DeviceBuffer<Pos>(segments, stream),
                      0};
  segments_kernel<<<blocks_for(segments, block_threads), block_threads, 0, stream>>>(
      sums.data(), segments, ends.segments.data(), segment_of.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, ends.segments.data(),
                                             ends.segments.data(), segments, stream);
      },
      stream);
  place_kernel<<<list_blocks, block_threads, 0, stream>>>(lists, sums.data(), segment_of.data(),
                                                          ends.segments.data(), ends.pieces.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  Pos reached = 0;
  GSX_CUDA_CHECK(cudaMemcpyAsync(&reached, ends.segments.data() + segments - 1, sizeof reached,
                                 cudaMemcpyDeviceToHost, stream));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  ends.reached = reached;
  return ends;
}

template PieceEnds<std::uint32_t> rank_pieces(const DeviceBuffer<WalkedPiece<std::uint32_t>>&,
                                              const SplitterRows&, DeviceStream);
template PieceEnds<std::uint64_t> rank_pieces(const DeviceBuffer<WalkedPiece<std::uint64_t>>&,
                                              const SplitterRows&, DeviceStream);

}  // namespace gsx::cuda
