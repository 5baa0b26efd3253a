#include "kernels/bench/set_rates.hpp"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <string>

#include "bench/cpu_sets.hpp"
#include "bench/measured_sets.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/bench/device_rate.hpp"
#include "kernels/gsx/device_barcodes.cuh"
#include "kernels/search/sets/cuda_neighbor_finder.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint64_t most_host_entries = std::uint64_t{1} << 25;
constexpr std::uint64_t most_set_queries = std::uint64_t{1} << 28;

__global__ void sequences_kernel(std::uint64_t size, std::uint32_t* d_keys) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_keys[i] = measured_16_mer(i);
}

__global__ void widen_kernel(const std::uint32_t* d_keys, std::uint64_t size,
                             std::uint64_t* d_words) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_words[i] = d_keys[i];
}

__global__ void prefix_queries_kernel(PrefixSetView set, std::uint64_t count,
                                      std::uint64_t* d_queries, std::uint32_t* d_lengths) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= count) return;
  d_queries[k] = measured_read(k, set.entries, set.size);
  d_lengths[k] = PrefixSetView::bases_per_word;
}

/// Sorted keys on the device.
DeviceBuffer<std::uint64_t> sorted_keys(std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> keys(size, stream), sorted(size, stream);
  sequences_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(size,
                                                                                  keys.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  run_cub_async(
      [&](void* workspace, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(workspace, bytes, keys.data(), sorted.data(), size, 0,
                                              32, stream);
      },
      stream);
  keys = {};
  DeviceBuffer<std::uint64_t> words(size, stream);
  widen_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(sorted.data(), size,
                                                                              words.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  return words;
}

/// The pairs of a set in device memory, listed some sequences at a time where there is no room for
/// all of them.
void measure_distance(std::uint64_t size, unsigned distance, DeviceStream stream,
                      std::vector<QueryRate>& rates) {
  const DeviceBuffer<std::uint64_t> words = sorted_keys(size, stream);
  DeviceBuffer<std::uint64_t> offsets(size + 1, stream);
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  const DeviceSequences set{words.data(), size, {16, 2}};
  const DeviceMemory memory{.limit = stream.pool->available()};
  const auto add = [&](const char* what, const auto& work) {
    rates.push_back(
        {"on the device: pairs of 16-mers at distance " + std::to_string(distance) + ": " + what,
         device_rate(size, stream, work), "sequences/s"});
  };
  add("table made", [&] { const DeviceNeighbors made(set, distance, stream, memory); });
  const DeviceNeighbors neighbors(set, distance, stream, memory);
  std::uint64_t pairs = 0;
  add("counted", [&] { pairs = neighbors.count(offsets.data(), stream); });
  DeviceBuffer<std::uint32_t> others(pairs, stream);
  add("listed", [&] { neighbors.list(0, size, offsets.data(), others.data(), stream); });
  add("found, by all three", [&] {
    const DeviceNeighbors made(set, distance, stream, memory);
    made.count(offsets.data(), stream);
    made.list(0, size, offsets.data(), others.data(), stream);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  });
}

}  // namespace

std::vector<QueryRate> measure_device_neighbors(std::uint64_t size, int threads, DeviceLink& link) {
  std::vector<QueryRate> rates;
  measure_distance(size, 1, link.stream(), rates);
  measure_distance(std::min(size, most_at_distance_2), 2, link.stream(), rates);
  (void)link.transfer(threads);
  CudaNeighborFinder finder(link);
  for (QueryRate& rate : measure_neighbors(std::min(size, most_host_entries), threads, &finder)) {
    rate.name = "through the device: " + rate.name;
    rates.push_back(std::move(rate));
  }
  return rates;
}

std::vector<QueryRate> measure_device_prefixes(std::uint64_t size, int threads, DeviceLink& link) {
  const DeviceStream stream = link.stream();
  const std::uint64_t count = std::min(most_set_queries, size);
  const gsx::DevicePrefixSet set(measured_prefix_set(size), {.limit = stream.pool->available()},
                                 threads);
  DeviceBuffer<std::uint64_t> queries(count, stream);
  DeviceBuffer<std::uint32_t> lengths(count, stream), found(count, stream);
  prefix_queries_kernel<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(
      set.view(), count, queries.data(), lengths.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<QueryRate> rates;
  rates.push_back({"on the device: longest prefixes of reads in " +
                       std::to_string(set.view().size) + " of 10 to 16 bases",
                   device_rate(count, stream,
                               [&] {
                                 set.longest_prefixes(queries.data(), lengths.data(), count,
                                                      found.data(), stream);
                               }),
                   "queries/s"});
  GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return rates;
}

}  // namespace gsx::cuda
