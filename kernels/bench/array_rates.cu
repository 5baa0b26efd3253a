#include "bench/cpu_arrays.hpp"
#include "index/sa/suffix_array.hpp"
#include "kernels/arrays/minima/device_range_minima.hpp"
#include "kernels/arrays/minima/nearest_smaller.hpp"
#include "kernels/base/cub_temporary.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/bench/array_rates.hpp"
#include "kernels/bench/device_rate.hpp"
#include "kernels/index/bwt/collectors.hpp"
#include "kernels/index/lcp/lcp.hpp"
#include "kernels/index/sa/sort_ladder.hpp"
#include "kernels/index/sa/suffix_sorter.hpp"
#include "kernels/text/device_text.hpp"

namespace gsx::cuda {
namespace {

using tuning::block_threads;

constexpr std::uint64_t most_ranges = std::uint64_t{1} << 26;

__global__ void values_kernel(std::uint64_t size, std::uint32_t* d_values) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size) d_values[i] = measured_value(i);
}
__global__ void ranges_kernel(std::uint64_t count, std::uint64_t size, ValueRange* d_ranges) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) d_ranges[k] = measured_range(k, size);
}

template <class Pos>
double lcp_rate(const TextView& text, Transfer& transfer, DeviceStream stream) {
  const DeviceText d_text(text, transfer, stream);
  DeviceBuffer<Pos> rows(text.length(), stream);
  SortShape shape;
  shape.length = text.length();
  shape.symbol_bits = text.symbols.bits;
  shape.position_bytes = sizeof(Pos);
  shape.segments = text.segments.count;
  try_plans(choose_plans(shape, stream.pool->available()), [&](const SortPlan& plan) {
    DeviceRowsCollector<Pos> collector(rows.data(), 0, stream);
    sort_suffixes(d_text.view(), plan, collector, stream, {});
  });
  DeviceBuffer<Pos> lcps(text.length(), stream);
  return device_rate(text.length(), stream, [&] {
    lcp_array(d_text.view(), rows.data(), text.length(), lcps.data(), stream);
  });
}

}  // namespace

std::vector<QueryRate> measure_device_arrays(std::uint64_t size, DeviceStream stream) {
  DeviceBuffer<std::uint32_t> values(size, stream);
  values_kernel<<<blocks_for(size, block_threads), block_threads, 0, stream>>>(size, values.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  std::vector<QueryRate> rates;
  {
    DeviceBuffer<std::uint32_t> left(size, stream), right(size, stream);
    rates.push_back({"nearest smaller values, both sides",
                     device_rate(size, stream,
                                 [&] {
                                   nearest_smaller_async(values.data(), size, {}, left.data(),
                                                         right.data(), stream);
                                 }),
                     "values/s"});
  }
  rates.push_back(
      {"range minima, built",
       device_rate(size, stream,
                   [&] { (void)DeviceRangeMinima<std::uint32_t>(values.data(), size, stream); }),
       "values/s"});
  const DeviceRangeMinima<std::uint32_t> minima(values.data(), size, stream);
  DeviceBuffer<ValueRange> ranges(most_ranges, stream);
  ranges_kernel<<<blocks_for(most_ranges, block_threads), block_threads, 0, stream>>>(
      most_ranges, size, ranges.data());
  GSX_CUDA_CHECK(cudaGetLastError());
  DeviceBuffer<std::uint64_t> positions(most_ranges, stream);
  rates.push_back({"range minima, leftmost positions, random ends",
                   device_rate(most_ranges, stream,
                               [&] {
                                 leftmost_minima_async(minima.view(), ranges.data(), most_ranges,
                                                       positions.data(), stream);
                               }),
                   "queries/s"});
  DeviceBuffer<std::uint32_t> found(most_ranges, stream);
  rates.push_back({"range minima, values, random ends",
                   device_rate(most_ranges, stream,
                               [&] {
                                 range_minima_async(minima.view(), ranges.data(), most_ranges,
                                                    found.data(), stream);
                               }),
                   "queries/s"});
  return rates;
}

std::vector<QueryRate> measure_device_lcp(const TextView& text, Transfer& transfer,
                                          DeviceStream stream) {
  const double rate = is_wide(text.length(), PositionWidth::automatic)
                          ? lcp_rate<std::uint64_t>(text, transfer, stream)
                          : lcp_rate<std::uint32_t>(text, transfer, stream);
  return {{"LCP array, suffix array given", rate, "symbols/s"}};
}

}  // namespace gsx::cuda
