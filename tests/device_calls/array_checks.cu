#include "device_calls/array_checks.hpp"
#include "device_calls/user_memory.hpp"
#include "kernels/gsx/device_arrays.cuh"

namespace gsx::testing {
namespace {

template <class Value>
__global__ void leftmost_kernel(RangeMinimaView<Value> minima, const ValueRange* d_ranges,
                                std::uint64_t count, std::uint64_t* d_positions) {
  const std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < count) d_positions[k] = minima.leftmost(d_ranges[k].begin, d_ranges[k].end);
}

}  // namespace

template <class Pos>
std::vector<Pos> device_lcp(std::string_view bytes, const std::vector<Pos>& rows,
                            const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_bytes = UserArray<char>::of(bytes);
  const auto d_rows = UserArray<Pos>::of(rows);
  const UserArray<Pos> d_lcp(rows.size());
  lcp_array(reinterpret_cast<const std::uint8_t*>(d_bytes.data()), bytes.size(), d_rows.data(),
            d_lcp.data(), setup.stream(), setup.memory());
  return to_host(d_lcp.data(), rows.size());
}

template <class Value, class Position>
DeviceNeighbours<Position> device_nearest_smaller(const std::vector<Value>& values,
                                                  const SmallerRules& rules, bool left, bool right,
                                                  const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_values = UserArray<Value>::of(values);
  const UserArray<Position> d_left(values.size()), d_right(values.size());
  arrays::nearest_smaller(d_values.data(), values.size(), left ? d_left.data() : nullptr,
                          right ? d_right.data() : nullptr, rules, setup.stream(), setup.memory());
  return {to_host(d_left.data(), left ? values.size() : 0),
          to_host(d_right.data(), right ? values.size() : 0)};
}

template <class Value>
DeviceMinima<Value> device_range_minima(const std::vector<Value>& values,
                                        const std::vector<ValueRange>& ranges,
                                        const DeviceCall& call) {
  const UserSetup setup(call);
  const auto d_values = UserArray<Value>::of(values);
  const auto d_ranges = UserArray<ValueRange>::of(ranges);
  const std::size_t count = ranges.size();
  const UserArray<std::uint64_t> d_positions(count), d_by_kernel(count);
  const UserArray<Value> d_minima(count);
  DeviceRangeMinima<Value> first(d_values.data(), values.size(), setup.stream(), setup.memory());
  const DeviceRangeMinima<Value> minima = std::move(first);
  minima.leftmost(d_ranges.data(), count, d_positions.data(), setup.stream());
  minima.minimum(d_ranges.data(), count, d_minima.data(), setup.stream());
  if (count != 0) {
    leftmost_kernel<<<static_cast<unsigned>((count + 127) / 128), 128, 0, setup.stream()>>>(
        minima.view(), d_ranges.data(), count, d_by_kernel.data());
    GSX_CUDA_CHECK(cudaGetLastError());
  }
  GSX_CUDA_CHECK(cudaStreamSynchronize(setup.stream()));
  return {to_host(d_positions.data(), count), to_host(d_minima.data(), count),
          to_host(d_by_kernel.data(), count), minima.bytes()};
}

template std::vector<std::uint32_t> device_lcp(std::string_view, const std::vector<std::uint32_t>&,
                                               const DeviceCall&);
template std::vector<std::uint64_t> device_lcp(std::string_view, const std::vector<std::uint64_t>&,
                                               const DeviceCall&);

#define GSX_ARRAY_CHECKS(Value)                                                       \
  template DeviceNeighbours<std::uint32_t> device_nearest_smaller(                    \
      const std::vector<Value>&, const SmallerRules&, bool, bool, const DeviceCall&); \
  template DeviceNeighbours<std::uint64_t> device_nearest_smaller(                    \
      const std::vector<Value>&, const SmallerRules&, bool, bool, const DeviceCall&); \
  template DeviceMinima<Value> device_range_minima(                                   \
      const std::vector<Value>&, const std::vector<ValueRange>&, const DeviceCall&);
GSX_ARRAY_CHECKS(std::uint8_t)
GSX_ARRAY_CHECKS(std::uint16_t)
GSX_ARRAY_CHECKS(std::uint32_t)
GSX_ARRAY_CHECKS(std::uint64_t)
#undef GSX_ARRAY_CHECKS

}  // namespace gsx::testing
