#include "kernels/index/lcp/shared_lengths_collector.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>
#include <numeric>
#include <optional>
#include <utility>

#include "base/host_device.hpp"
#include "index/lcp/common_prefix.hpp"
#include "kernels/base/copies.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/selection.cuh"
#include "kernels/base/tuning.hpp"
#include "kernels/index/lcp/compare_rows.cuh"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

/// Batches of suffixes differ in their first prefix_bits bits: their rows share less than this.
constexpr std::uint64_t most_around_batches = tuning::prefix_bits;
static_assert(most_around_batches < SharedAt::longest);
static_assert(tuning::max_batches <= 256, "a byte numbers the batches");

/// The nearest row of a strand on one side, as a scan finds it: its number in the batch plus 1
/// above 32 bits of what is shared with it; or 0, and the minimum of what neighbours share.
GSX_HD std::uint64_t row_of(std::uint64_t nearest) {
  return nearest >> 32;
}
struct Nearer {
  __host__ __device__ std::uint64_t operator()(std::uint64_t before, std::uint64_t here) const {
    if (here >> 32 != 0) return here;
    const std::uint64_t shared = before & 0xFFFFFFFF, lcp = here & 0xFFFFFFFF;
    return (before >> 32 << 32) | (shared < lcp ? shared : lcp);
  }
};

/// The rows of a batch, seen from above or from below.
template <class Pos>
struct Direction {
  const Pos* d_rows;
  const std::uint8_t* d_lcps;
  std::uint64_t count;
  std::uint64_t half;
  bool reverse;  ///< the strand whose rows are looked for
  bool below;

  __host__ __device__ bool is_wanted(std::uint64_t i) const {
    return (d_rows[i] >= half) == reverse;
  }
  /// Row i is the step(i)-th one of the scan, and the other way round.
  __host__ __device__ std::uint64_t step(std::uint64_t i) const {
    return below ? count - 1 - i : i;
  }
  /// What the scan learns at a step: of the row before, and what is shared with it.
  __host__ __device__ std::uint64_t operator()(std::uint64_t at) const {
    if (at == 0) return 0;
    const std::uint64_t i = step(at), before = step(at - 1);
    const std::uint64_t lcp = d_lcps[below ? before : i];
    return is_wanted(before) ? (before + 1) << 32 | lcp : lcp;
  }
};

template <class Pos>
void find_nearest_async(const Direction<Pos>& rows, DeviceBuffer<std::uint64_t>& nearest,
                        DeviceStream stream) {
  const auto items =
      thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0), rows);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveScan(workspace, bytes, items, nearest.data(), Nearer{},
                                              rows.count, stream);
      },
      stream);
}

/// What row i shares with the nearest one, and which one that is.
template <class Pos>
struct NearestRows {
  Direction<Pos> rows;
  const std::uint64_t* d_nearest;

  __device__ std::uint64_t at(std::uint64_t i) const { return d_nearest[rows.step(i)]; }
  __device__ std::uint8_t shared(std::uint64_t i) const {
    const std::uint64_t nearest = at(i);
    return row_of(nearest) == 0 ? 0 : static_cast<std::uint8_t>(nearest);
  }
};

/// Adds one direction to what the rows of the forward strand share. The first is forward, above.
template <class Pos>
__global__ void add_kernel(NearestRows<Pos> nearest, std::uint8_t batch, SharedAt* d_found) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const Direction<Pos>& rows = nearest.rows;
  if (i >= rows.count || rows.d_rows[i] >= rows.half) return;
  const std::uint8_t shared = nearest.shared(i);
  if (!rows.reverse && !rows.below) {
    d_found[i] = {shared, shared, 0, batch};
    return;
  }
  SharedAt found = d_found[i];
  std::uint8_t& most = rows.reverse ? found.reverse : found.forward;
  if (shared <= most) return;
  most = shared;
  d_found[i] = found;
}

template <class Pos>
struct IsLongest {
  NearestRows<Pos> nearest;
  __device__ bool operator()(std::uint64_t i) const {
    return nearest.rows.d_rows[i] < nearest.rows.half && nearest.shared(i) == SharedAt::longest;
  }
};
template <class Pos>
struct ListPairs {
  NearestRows<Pos> nearest;
  std::uint32_t* d_positions;
  std::uint32_t* d_partners;

  __device__ void keep(std::uint64_t i, std::uint64_t k) const {
    const Direction<Pos>& rows = nearest.rows;
    const std::uint64_t partner = rows.d_rows[row_of(nearest.at(i)) - 1];
    d_positions[k] = static_cast<std::uint32_t>(rows.d_rows[i]);
    d_partners[k] = static_cast<std::uint32_t>(rows.reverse ? partner - rows.half : partner);
  }
  __device__ void drop(std::uint64_t) const {}
};

/// The last row of the strand, or the first one seen from below.
template <class Pos>
__global__ void edge_kernel(NearestRows<Pos> nearest, std::uint64_t none, std::uint64_t* d_edge) {
  const Direction<Pos>& rows = nearest.rows;
  const std::uint64_t last = rows.step(rows.count - 1);
  const std::uint64_t before = row_of(nearest.at(last));
  *d_edge = rows.is_wanted(last) ? rows.d_rows[last] : before != 0 ? rows.d_rows[before - 1] : none;
}

template <class Pos>
__global__ void scatter_kernel(const Pos* d_rows, std::uint64_t count, std::uint64_t half,
                               const SharedAt* d_found, SharedAt* d_shared) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count && d_rows[i] < half) d_shared[d_rows[i]] = d_found[i];
}

/// What a suffix shares with a row of another batch.
__device__ std::uint8_t shared_around(const TextView& text, const BoundedSuffix& here,
                                      std::uint64_t row, std::uint64_t none) {
  if (row == none) return 0;
  return static_cast<std::uint8_t>(
      here.common_prefix(text.symbols, BoundedSuffix(text, row), 0, most_around_batches));
}

__device__ std::uint8_t larger(std::uint8_t a, std::uint8_t b) {
  return a < b ? b : a;
}

/// Adds what the suffix at each position shares with the nearest rows of other batches, of which
/// d_around has two of each strand per batch. In its own batch there may be nearer ones, with which
/// it shares as much at least.
__global__ void around_kernel(BothStrandsView text, const std::uint64_t* d_around,
                              std::uint64_t none, SharedAt* d_shared) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (p >= text.half) return;
  const BoundedSuffix here(text.text, p);
  if (here.length == 0) return;
  SharedAt shared = d_shared[p];
  const std::uint64_t* const around = d_around + 4 * std::uint64_t{shared.batch};
  const std::uint8_t above = shared_around(text.text, here, around[0], none);
  shared.left = larger(shared.left, above);
  shared.forward =
      larger(shared.forward, larger(above, shared_around(text.text, here, around[1], none)));
  shared.reverse = larger(shared.reverse, larger(shared_around(text.text, here, around[2], none),
                                                 shared_around(text.text, here, around[3], none)));
  d_shared[p] = shared;
}

__device__ std::uint8_t part_of(const SharedAt& shared, SharedPart part) {
  return part == SharedPart::left      ? shared.left
         : part == SharedPart::forward ? shared.forward
                                       : shared.reverse;
}

__global__ void part_kernel(const SharedAt* d_shared, std::uint64_t size, SharedPart part,
                            std::uint8_t* d_bytes) {
  const std::uint64_t p = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (p < size) d_bytes[p] = part_of(d_shared[p], part);
}

}  // namespace

TooManyPairs::TooManyPairs()
    : Error(ErrorKind::resources,
            "too many suffixes have too much in common to keep them on the GPU") {}

template <class Pos>
SharedLengthsCollector<Pos>::SharedLengthsCollector(const TextView& d_text, std::uint64_t half,
                                                    std::uint64_t most_pairs, DeviceStream stream)
    : text_{d_text, half},
      most_pairs_(most_pairs),
      stream_(stream),
      shared_(half, stream),
      edges_(4 * tuning::max_batches, stream) {
  // Separators share nothing, and their rows are left out.
  GSX_CUDA_CHECK(cudaMemsetAsync(shared_.data(), 0, shared_.bytes(), stream));
  GSX_CUDA_CHECK(cudaMemsetAsync(edges_.data(), 0xFF, edges_.bytes(), stream));  // no_row
}

template <class Pos>
void SharedLengthsCollector<Pos>::take(const FinishedRows<Pos>& rows) {
  const bool separators = rows.first_row == 0;
  if (separators || rows.count == 0) return;
  if (rows.count >= std::numeric_limits<std::uint32_t>::max())
    throw ResourceError("out of GPU memory: 2^32 suffixes begin with the same symbols");
  DeviceBuffer<std::uint8_t> lcps(rows.count, stream_);
  compare_rows_async(text_.text, rows.d_rows, rows.count, SharedAt::longest, lcps.data(), stream_);
  DeviceBuffer<std::uint64_t> nearest(rows.count, stream_);
  DeviceBuffer<SharedAt> found(rows.count, stream_);
  for (const Side side : {above, below})
    take_direction(rows, forward, side, lcps, nearest, found);
  if (both()) {
    for (const Side side : {above, below})
      take_direction(rows, reverse, side, lcps, nearest, found);
  }
  scatter_kernel<<<blocks_for(rows.count, block_threads), block_threads, 0, stream_>>>(
      rows.d_rows, rows.count, text_.half, found.data(), shared_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  first_rows_.push_back(rows.first_row);
}

template <class Pos>
void SharedLengthsCollector<Pos>::take_direction(const FinishedRows<Pos>& rows, Strand strand,
                                                 Side side, const DeviceBuffer<std::uint8_t>& lcps,
                                                 DeviceBuffer<std::uint64_t>& nearest,
                                                 DeviceBuffer<SharedAt>& found) {
  const std::uint64_t batch = first_rows_.size();
  const Direction<Pos> direction{rows.d_rows, lcps.data(),       rows.count,
                                 text_.half,  strand == reverse, side == below};
  find_nearest_async(direction, nearest, stream_);
  const NearestRows<Pos> all{direction, nearest.data()};
  add_kernel<<<blocks_for(rows.count, block_threads), block_threads, 0, stream_>>>(
      all, static_cast<std::uint8_t>(batch), found.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  edge_kernel<<<1, 1, 0, stream_>>>(all, no_row, edges_.data() + 4 * batch + 2 * strand + side);
  GSX_CUDA_CHECK(cudaGetLastError());
  const Selection longest(IsLongest<Pos>{all}, rows.count, stream_);
  if (longest.size() == 0) return;
  pairs_found_ += longest.size();
  if (pairs_found_ > most_pairs_) throw TooManyPairs();
  LongPairs::List list{{longest.size(), stream_}, {longest.size(), stream_}};
  longest.move_async(ListPairs<Pos>{all, list.positions.data(), list.partners.data()});
  pairs_[strand][side].add(std::move(list));
}

/// For each batch, in the order of edges_, the nearest rows of other batches.
template <class Pos>
std::vector<typename SharedLengthsCollector<Pos>::Rows>
SharedLengthsCollector<Pos>::rows_around_batches() const {
  std::vector<Rows> edges(tuning::max_batches);
  GSX_CUDA_CHECK(cudaMemcpyAsync(edges.data(), edges_.data(), edges_.bytes(),
                                 cudaMemcpyDeviceToHost, stream_));
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));
  const std::size_t batches = first_rows_.size();
  std::vector<std::size_t> order(batches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t batch) { return first_rows_[batch]; });
  std::vector<Rows> around(batches);
  const auto pass = [&](Side side) {
    for (const Strand strand : {forward, reverse}) {
      std::uint64_t row = no_row;
      for (const std::size_t batch : order) {
        around[batch][strand][side] = row;
        // What nothing was looked for in has no edge.
        if (strand == reverse && !both()) continue;
        if (edges[batch][strand][side] != no_row) row = edges[batch][strand][side];
      }
    }
  };
  pass(above);
  std::ranges::reverse(order);
  pass(below);
  return around;
}

template <class Pos>
void SharedLengthsCollector<Pos>::compare_around_batches() {
  const std::vector<Rows> around = rows_around_batches();
  if (around.empty()) return;
  DeviceBuffer<std::uint64_t> d_around(4 * around.size(), stream_);
  GSX_CUDA_CHECK(cudaMemcpyAsync(d_around.data(), around.data(), d_around.bytes(),
                                 cudaMemcpyHostToDevice, stream_));
  around_kernel<<<blocks_for(text_.half, block_threads), block_threads, 0, stream_>>>(
      text_, d_around.data(), no_row, shared_.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream_));  // the rows live here
}

template <class Pos>
LengthsByPosition SharedLengthsCollector<Pos>::measured(Strand strand, Side side) {
  return pairs_[strand][side].measure_async(text_.text, strand == reverse ? text_.half : 0,
                                            SharedAt::longest, stream_);
}

template <class Pos>
SmallNumbers SharedLengthsCollector<Pos>::numbers(SharedPart part, const LengthsByPosition& large,
                                                  int threads, Transfer& transfer,
                                                  const RequireMemory& require) {
  if (require) require(large.lengths.bytes());
  constexpr const char* what = "lengths shared by suffixes";
  DeviceBuffer<std::uint8_t> bytes(text_.half, stream_);
  part_kernel<<<blocks_for(text_.half, block_threads), block_threads, 0, stream_>>>(
      shared_.data(), text_.half, part, bytes.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return {copy_to_host(bytes, what, transfer, stream_),
          PositionArray(copy_to_host(large.lengths, what, transfer, stream_)), threads};
}

template <class Pos>
SharedLengths SharedLengthsCollector<Pos>::result(int threads, Transfer& transfer,
                                                  const RequireMemory& require) {
  compare_around_batches();
  const auto finish = [&](SharedPart part, const LengthsByPosition& large) {
    return numbers(part, large, threads, transfer, require);
  };
  std::optional<SmallNumbers> of_reverse;
  if (both()) {
    of_reverse = finish(SharedPart::reverse, larger_lengths(measured(reverse, above),
                                                            measured(reverse, below), stream_));
  }
  const LengthsByPosition of_above = measured(forward, above);
  SmallNumbers of_forward =
      finish(SharedPart::forward, larger_lengths(of_above, measured(forward, below), stream_));
  return {finish(SharedPart::left, of_above), std::move(of_forward), std::move(of_reverse)};
}

template class SharedLengthsCollector<std::uint32_t>;
template class SharedLengthsCollector<std::uint64_t>;

}  // namespace gsx::cuda
