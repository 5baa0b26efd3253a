// The functions of gsx/device_arrays.cuh as a user calls them: data to the device and back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arrays/packing/interleaved_array.hpp"
#include "base/packed.hpp"
#include "device_calls/device_call.hpp"

namespace gsx::testing {

/// Packed on the device; the bytes and words that come back.
template <class Value>
std::vector<std::uint8_t> device_stream(const std::vector<Value>& values, std::uint32_t bits,
                                        const DeviceCall& call);
template <class Value>
std::vector<std::uint32_t> device_interleaved(const std::vector<Value>& values, std::uint32_t bits,
                                              const DeviceCall& call);

/// Values [first, first + count) of an array whose memory is copied to the device, written
/// `offset` values behind an aligned place. What is written beside them is an error.
template <class Value, class View>
std::vector<Value> device_unpacked(const View& packed, std::uint64_t first, std::uint64_t count,
                                   std::uint64_t offset, const DeviceCall& call);

/// The values at positions, which go there with 32 or 64 bits.
template <class Value, class Position, class View>
std::vector<Value> device_gathered(const View& packed, const std::vector<Position>& positions,
                                   const DeviceCall& call);

/// Unpacks, and gathers, from an address that is not aligned.
void unpack_from_odd_address();
void gather_from_odd_address();

/// Arrays of host memory through the device.
template <class Value>
PackedArray passed_stream(const std::vector<Value>& values, std::uint32_t bits,
                          const DeviceCall& call, int threads);
template <class Value>
InterleavedArray passed_interleaved(const std::vector<Value>& values, std::uint32_t bits,
                                    const DeviceCall& call, int threads);
template <class Value, class View>
void pass_unpacked(const View& packed, std::uint64_t first, std::span<Value> out,
                   const DeviceCall& call, int threads);

}  // namespace gsx::testing
