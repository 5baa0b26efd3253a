#include <array>
#include <utility>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/mismatches/bit_scan.hpp"
#include "kernels/search/mismatches/found_places.cuh"
#include "kernels/search/mismatches/to_device.hpp"
#include "search/mismatches/compare_rest.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint32_t all_lanes = ~std::uint32_t{0};
constexpr int most_digits = counter_digits(most_mismatches);

/// What a kernel reads of the strands.
struct StrandsView {
  const SlicedStrand* strands;
  const SlicedTile* tiles;
  const PositionMasks* masks;
  const BaseSet* rest;
  std::uint32_t tile_count;
  std::uint32_t most;  ///< mismatches
};

__device__ std::uint32_t warp_sum(std::uint32_t number) {
  for (int distance = 16; distance > 0; distance /= 2)
    number += __shfl_xor_sync(all_lanes, number, distance);
  return number;
}

/// Takes the places that are found of one strand in one word of each thread.
template <int digits>
class PlaceSink {
 public:
  __device__ PlaceSink(const TextView& text, const StrandsView& view, const ScanResult& result,
                       const SlicedStrand& strand)
      : text_(text), view_(view), result_(result), strand_(strand) {}

  /// Lane 0 is at `position`. All threads of a warp call together.
  __device__ void take(const MismatchCounter<std::uint32_t, digits>& counter,
                       std::uint64_t position) const {
    const std::uint32_t found = ~counter.over;
    if (!__any_sync(all_lanes, found != 0)) return;
    constexpr bool few_classes = digits <= 3;
    const bool counted = few_classes && strand_.length <= PlaceWindow::reach;
    if (counted) count(counter, found);
    if (counted && result_.hits == nullptr) return;
    for (std::uint32_t left = found; left != 0; left &= left - 1)
      take_place(counter, position, lowest_bit32(left), !counted);
  }

 private:
  __device__ std::uint32_t start() const { return counter_start(digits, view_.most); }
  __device__ std::uint64_t* counts() const {
    return counts_of(result_, strand_.pattern, strand_.reverse != 0, view_.most);
  }

  __device__ void count(const MismatchCounter<std::uint32_t, digits>& counter,
                        std::uint32_t found) const {
    for (std::uint32_t m = 0; m <= view_.most; ++m) {
      std::uint32_t lanes = found;
      for (int d = 0; d < digits; ++d)
        lanes &= ((start() + m) >> d & 1) != 0 ? counter.digit[d] : ~counter.digit[d];
      const std::uint32_t sum = warp_sum(popcount32(lanes));
      if (threadIdx.x % 32 == 0 && sum != 0) add(counts() + m, sum);
    }
  }

  __device__ void take_place(const MismatchCounter<std::uint32_t, digits>& counter,
                             std::uint64_t position, std::uint32_t lane, bool counts_it) const {
    std::uint32_t mismatches = counter_value(counter, lane) - start();
    position += lane;
    if (strand_.length > PlaceWindow::reach &&
        !compare_rest(text_, position, strand_.length, PlaceWindow::reach,
                      view_.rest + strand_.rest, view_.most, mismatches))
      return;
    if (counts_it) add(counts() + mismatches, 1);
    list_hit(result_, strand_.pattern, position, strand_.reverse != 0, mismatches);
  }

  const TextView& text_;
  const StrandsView& view_;
  const ScanResult& result_;
  const SlicedStrand& strand_;
};

/// Each thread compares the places of one window with all strands. The masks of a tile of strands
/// are read from shared memory.
template <int digits>
__global__ void __launch_bounds__(block_threads)
    scan_kernel(TextView text, PlaceRange range, StrandsView view, ScanResult result) {
  __shared__ PositionMasks masks[SlicedStrands::tile_masks];
  const std::uint64_t begin =
      range.begin + (std::uint64_t{blockIdx.x} * block_threads + threadIdx.x) * PlaceWindow::places;
  const bool inside = begin < range.end;
  PlaceWindow window{};
  WindowBorders borders{};
  bool bordered = false;
  if (inside) {
    window.load(text.symbols, begin);
    bordered = borders.load(text.segments, begin);
  }
  const auto vote = [](bool over) { return __all_sync(all_lanes, over) != 0; };

  for (std::uint32_t t = 0; t < view.tile_count; ++t) {
    const SlicedTile tile = view.tiles[t];
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < tile.masks_end - tile.masks_begin; i += block_threads)
      masks[i] = view.masks[tile.masks_begin + i];
    __syncthreads();
    for (std::uint32_t p = tile.first; p < tile.last; ++p) {
      StrandPair pair;
      PairCounters<digits> counters;
      for (int s = 0; s < 2; ++s) {
        const SlicedStrand& strand = view.strands[p * 2 + s];
        pair.masks[s] = masks + (strand.masks - tile.masks_begin);
        pair.strict[s] = strand.strict;
        std::uint32_t excluded[2] = {0, 0};
        if (bordered) borders.exclude(strand.length, excluded[0], excluded[1]);
        if (!inside || strand.length == 0) excluded[0] = excluded[1] = all_lanes;
        for (int word = 0; word < 2; ++word)
          counters.of[s][word].start(counter_start(digits, view.most), excluded[word]);
      }
      pair.positions = view.strands[p * 2].positions;
      pair.check_from = view.strands[p * 2].check_from;
      compare_places(window, pair, vote, counters);
      for (int s = 0; s < 2; ++s) {
        const PlaceSink<digits> sink(text, view, result, view.strands[p * 2 + s]);
        for (int word = 0; word < 2; ++word)
          sink.take(counters.of[s][word], begin + static_cast<unsigned>(word) * 32);
      }
    }
  }
}

using Kernel = void (*)(TextView, PlaceRange, StrandsView, ScanResult);

template <int... digits>
constexpr std::array<Kernel, sizeof...(digits)> kernels(std::integer_sequence<int, digits...>) {
  return {scan_kernel<digits>...};
}

}  // namespace

DeviceStrands::DeviceStrands(const SlicedStrands& host, DeviceStream stream)
    : strands_(to_device(host.strands(), stream)),
      tiles_(to_device(host.tiles(), stream)),
      masks_(to_device(host.masks(), stream)),
      rest_(to_device(host.rest(), stream)) {
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
}

void scan_async(const TextView& d_text, const PlaceRange& range, const DeviceStrands& strands,
                std::uint32_t most, const ScanResult& result, DeviceStream stream) {
  static constexpr auto by_digits = kernels(std::make_integer_sequence<int, most_digits + 1>());
  if (range.begin >= range.end || strands.tile_count() == 0) return;
  const StrandsView view{strands.strands(), strands.tiles(),      strands.masks(),
                         strands.rest(),    strands.tile_count(), most};
  const std::uint64_t windows =
      (range.end - range.begin + PlaceWindow::places - 1) / PlaceWindow::places;
  const Kernel kernel = by_digits[static_cast<std::size_t>(counter_digits(most))];
  kernel<<<blocks_for(windows, block_threads), block_threads, 0, stream>>>(d_text, range, view,
                                                                           result);
  GSX_CUDA_CHECK(cudaGetLastError());
}

}  // namespace gsx::cuda
