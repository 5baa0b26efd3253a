// The functions of gsx/device.cuh for arrays, as a user calls them: data to the device and back.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "arrays/minima/no_position.hpp"
#include "arrays/minima/range_minima.hpp"
#include "device_calls/device_call.hpp"

namespace gsx::testing {

template <class Pos>
std::vector<Pos> device_lcp(std::string_view bytes, const std::vector<Pos>& rows,
                            const DeviceCall& call);

/// Neighbours of each value; the sides that are not asked for stay empty.
template <class Position>
struct DeviceNeighbours {
  std::vector<Position> left, right;
};
template <class Value, class Position>
DeviceNeighbours<Position> device_nearest_smaller(const std::vector<Value>& values,
                                                  const SmallerRules& rules, bool left, bool right,
                                                  const DeviceCall& call);

/// Of each range, by a hierarchy that has been moved.
template <class Value>
struct DeviceMinima {
  std::vector<std::uint64_t> positions;
  std::vector<Value> minima;
  std::vector<std::uint64_t> by_kernel;  ///< positions that a kernel of the caller's has found
  std::uint64_t bytes = 0;
};
template <class Value>
DeviceMinima<Value> device_range_minima(const std::vector<Value>& values,
                                        const std::vector<ValueRange>& ranges,
                                        const DeviceCall& call);

}  // namespace gsx::testing
