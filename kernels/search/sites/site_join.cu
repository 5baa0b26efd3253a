#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/sites/site_join.hpp"
#include "search/sites/site_lookup.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint32_t lanes = HalfSearch::lanes;
constexpr std::uint32_t join_warps = 4;

__device__ void add(std::uint64_t* sum, std::uint64_t number) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(number));
}

/// What is near, and where it goes.
struct JoinOutput {
  const std::uint32_t* patterns;  ///< the numbers of guides in the batch
  std::uint64_t begin;            ///< of the part of the text
  PlaceRange range;
  bool in_range_only;  ///< whether some sites of the table are not in the range
  ScanResult result;
};

/// Takes the sites that are near to guides.
template <bool lists_hits>
class SiteSink {
 public:
  __device__ SiteSink(const HalfSearch& search, const JoinOutput& output)
      : search_(search), output_(output) {}

  __device__ void add_count(std::uint32_t slot, bool reverse, std::uint32_t mismatches,
                            std::uint32_t sum) const {
    const std::uint64_t pattern = pattern_of(slot);
    add(output_.result.counts + (pattern * 2 + (reverse ? 1 : 0)) * (search_.most + 1) + mismatches,
        sum);
  }
  __device__ void add_hit(std::uint32_t slot, std::uint32_t site, bool reverse,
                          std::uint32_t mismatches) const {
    if constexpr (lists_hits) {
      const ScanResult& result = output_.result;
      const std::uint32_t pattern = pattern_of(slot);
      if (result.fewer_than != nullptr && mismatches >= result.fewer_than[pattern]) return;
      const std::uint64_t position = output_.begin + search_.half.places[site];
      if (output_.in_range_only &&
          (position < output_.range.begin || position >= output_.range.end))
        return;
      const std::uint64_t at =
          atomicAdd(reinterpret_cast<unsigned long long*>(result.hit_count), 1ull);
      if (at < result.room)
        result.hits[at] = HitRecord(pattern, position, reverse, mismatches).value();
    }
  }

 private:
  __device__ std::uint32_t pattern_of(std::uint32_t slot) const {
    return output_.patterns[search_.guides.order[slot]];
  }

  const HalfSearch& search_;
  const JoinOutput& output_;
};

__host__ __device__ constexpr std::uint32_t words_per_warp(std::uint32_t most_guides,
                                                           std::uint32_t classes) {
  return lanes * (sizeof(BucketRange) / 4 + most_guides * classes);
}

/// Each warp compares up to `most_guides` guides in a row with the sites in the buckets of a chunk
/// of their neighbours.
template <std::uint32_t most_guides, bool lists_hits>
__global__ void __launch_bounds__(join_warps* lanes)
    join_kernel(const __grid_constant__ HalfSearch search,
                const __grid_constant__ JoinOutput output) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  const std::uint64_t item = std::uint64_t{blockIdx.x} * join_warps + warp;
  const std::uint32_t chunks = search.chunks();
  const auto chunk = static_cast<std::uint32_t>(item % chunks);
  const std::uint64_t first = item / chunks * most_guides;
  if (first >= search.guides.count) return;  // all of the warp
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(shared) +
                               warp * words_per_warp(most_guides, search.classes());
  const JoinMemory memory{reinterpret_cast<BucketRange*>(words),
                          words + lanes * (sizeof(BucketRange) / 4)};
  const SiteSink<lists_hits> sink(search, output);
  const auto take = [&sink](std::uint32_t slot, std::uint32_t site, bool reverse,
                            std::uint32_t mismatches) {
    sink.add_hit(slot, site, reverse, mismatches);
  };
  const auto add_sum = [&sink](std::uint32_t slot, bool reverse, std::uint32_t mismatches,
                               std::uint32_t sum) {
    sink.add_count(slot, reverse, mismatches, sum);
  };
  const auto begin = static_cast<std::uint32_t>(first);
  const std::uint32_t left = search.guides.count - begin;
  const std::uint32_t end = begin + (left < most_guides ? left : most_guides);
  for (GuideRun run{begin, begin}; run.end < end;) {
    run = guide_run(search.guides, run.end, end);
    begin_join(search, run, chunk, lane, memory);
    __syncwarp();
    join_run<most_guides>(search, run, lane, memory, take);
    __syncwarp();
    end_join(search, run, lane, memory, add_sum);
    __syncwarp();
  }
}

template <std::uint32_t most_guides, bool lists_hits>
void launch(const HalfSearch& search, const JoinOutput& output, DeviceStream stream) {
  const std::uint64_t tiles = (search.guides.count + most_guides - 1) / most_guides;
  const std::uint32_t bytes = join_warps * words_per_warp(most_guides, search.classes()) * 4;
  join_kernel<most_guides, lists_hits>
      <<<blocks_for(tiles * search.chunks(), join_warps), join_warps * lanes, bytes, stream>>>(
          search, output);
  GSX_CUDA_CHECK(cudaGetLastError());
}

template <bool lists_hits>
void launch(const HalfSearch& search, const JoinOutput& output, std::uint32_t many,
            DeviceStream stream) {
  // As many guides at a time as a block's 48 KB of counters allow.
  constexpr std::uint32_t most_bytes = 48 << 10;
  static_assert(join_warps * words_per_warp(4, 2 * (SiteLookup::most_mismatches + 1)) * 4 <=
                most_bytes);
  if (search.guides.count < many) {
    launch<1, lists_hits>(search, output, stream);
  } else if (join_warps * words_per_warp(8, search.classes()) * 4 <= most_bytes) {
    launch<8, lists_hits>(search, output, stream);
  } else {
    launch<4, lists_hits>(search, output, stream);
  }
}

__global__ void __launch_bounds__(block_threads)
    buckets_kernel(const std::uint64_t* keys, std::uint32_t count, SiteSplit split,
                   std::uint32_t* buckets, std::uint32_t* order) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i >= count) return;
  buckets[i] = split.bucket(keys[i]);
  order[i] = i;
}

}  // namespace

DeviceGuides::DeviceGuides(const SiteGroup& group, std::uint32_t half, std::uint32_t mismatches,
                           Strands strands, DeviceStream stream)
    : count_(static_cast<std::uint32_t>(group.keys.size())),
      mismatches_(mismatches),
      first_most_(SiteLookup::first_most(mismatches)),
      strands_(strands),
      keys_(count_, stream),
      patterns_(count_, stream) {
  if (count_ == 0) return;
  keys_.copy_from_async(group.keys.data());
  patterns_.copy_from_async(group.patterns.data());
  for (const bool last : {false, true}) {
    if (last && mismatches == 0) break;
    Half& sorted = halves_[last ? 1 : 0];
    sorted.split = {group.shape.guide, half, last};
    const Neighbours neighbours(half, last ? mismatches - 1 - first_most_ : first_most_);
    sorted.neighbours = {neighbours.all().size(), stream};
    sorted.neighbours.copy_from_async(neighbours.all().data());
    wait_asleep(stream);  // the neighbours are copied
  }
  for (Half& half : halves_)
    if (half.neighbours.size() != 0) sort_async(half, stream);
}

/// Sorts the guides by their buckets.
void DeviceGuides::sort_async(Half& half, DeviceStream stream) const {
  DeviceBuffer<std::uint32_t> buckets(count_, stream), order(count_, stream);
  half.buckets = {count_, stream};
  half.order = {count_, stream};
  buckets_kernel<<<blocks_for(count_, block_threads), block_threads, 0, stream>>>(
      keys_.data(), count_, half.split, buckets.data(), order.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  const int bits = 2 * static_cast<int>(half.split.half);
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(workspace, bytes, buckets.data(),
                                               half.buckets.data(), order.data(), half.order.data(),
                                               count_, 0, bits, stream);
      },
      stream);
}

void DeviceGuides::find_async(const DeviceSiteTable& table, const PlaceRange& range,
                              const ScanResult& result, std::uint32_t many,
                              DeviceStream stream) const {
  if (count_ == 0 || table.part().sites == 0) return;
  const PlaceRange& starts = table.part().starts;
  const JoinOutput output{patterns_.data(), starts.begin, range,
                          range.begin > starts.begin || range.end < starts.end, result};
  for (const bool last : {false, true}) {
    if (last && mismatches_ == 0) break;
    const Half& half = halves_[last ? 1 : 0];
    const HalfSearch search{
        .half = table.of(last),
        .split = half.split,
        .guides = {half.buckets.data(), half.order.data(), keys_.data(), count_},
        .neighbours = half.neighbours.data(),
        .neighbour_count = static_cast<std::uint32_t>(half.neighbours.size()),
        .most = mismatches_,
        .first_more = first_most_,
        .strands = strands_};
    if (result.hits == nullptr) launch<false>(search, output, many, stream);
    if (result.hits != nullptr) launch<true>(search, output, many, stream);
  }
}

}  // namespace gsx::cuda
