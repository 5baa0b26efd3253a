// Packed integers on a GPU: in device memory, and from host memory through the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <span>

#include "arrays/packing/interleaved_array.hpp"
#include "base/export.hpp"
#include "base/packed.hpp"
#include "kernels/gsx/device_memory.cuh"

namespace gsx {

// Both layouts of <gsx/pack.hpp>, with the same bytes. Values and results are unsigned integers of
// 8, 16, 32 or 64 bits. Packed arrays on the device are aligned to 16 bytes; what is not is refused
// with a UsageError. The interleaved layout is the one to unpack on a GPU.

/// Packs d_values, [size], as a plain stream of `bits` bits each to d_bytes,
/// [PackedView::bytes_for(size, bits)], the slack included. Waits for the stream. Throws UsageError
/// unless `bits` is 1 to 64 and holds every value; it names the index of the first that is too
/// large, and d_bytes holds anything then. ResourceError, DeviceError. Cost: one pass.
template <class Value>
GSX_API void pack(const Value* d_values, std::uint64_t size, std::uint32_t bits,
                  std::uint8_t* d_bytes, cudaStream_t stream, const DeviceMemory& memory = {});

/// The same, interleaved, to d_words, [InterleavedView::words_for(size, bits)].
template <class Value>
GSX_API void pack_interleaved(const Value* d_values, std::uint64_t size, std::uint32_t bits,
                              std::uint32_t* d_words, cudaStream_t stream,
                              const DeviceMemory& memory = {});

/// Writes values [first, first + count) of an array in device memory to d_out, [count].
/// Asynchronous. Throws UsageError if some of them are not in the array, or if Value has fewer bits
/// than its values; DeviceError. Cost: one pass; fastest if `first` is a multiple of 1024.
template <class Value>
GSX_API void unpack(const PackedView& d_packed, std::uint64_t first, std::uint64_t count,
                    Value* d_out, cudaStream_t stream);
template <class Value>
GSX_API void unpack(const InterleavedView& d_packed, std::uint64_t first, std::uint64_t count,
                    Value* d_out, cudaStream_t stream);

/// Writes value d_positions[k] to d_out[k], for `count` of them. Position is std::uint32_t or
/// std::uint64_t. Asynchronous. Pre: all positions are below the size. Throws UsageError if Value
/// has fewer bits than the array's values, DeviceError. Cost: one or two random sectors per value.
template <class Position, class Value>
GSX_API void gather(const PackedView& d_packed, const Position* d_positions, std::uint64_t count,
                    Value* d_out, cudaStream_t stream);
template <class Position, class Value>
GSX_API void gather(const InterleavedView& d_packed, const Position* d_positions,
                    std::uint64_t count, Value* d_out, cudaStream_t stream);

// From host memory to host memory, in pieces: some cross the bus while others are on the device. An
// array of any size passes through little device memory; `memory` bounds it. `threads` copy, 0 for
// as many as this process may run. A CPU is often faster; these are for a GPU that is at hand where
// cores are not.

/// pack() of <gsx/pack.hpp> on the current device. Throws the same, and DeviceError.
template <class Value>
GSX_API PackedArray pack_by_device(std::span<const Value> values, std::uint32_t bits,
                                   const DeviceMemory& memory = {}, int threads = 0);
template <class Value>
GSX_API InterleavedArray pack_interleaved_by_device(std::span<const Value> values,
                                                    std::uint32_t bits,
                                                    const DeviceMemory& memory = {},
                                                    int threads = 0);

/// unpack() of <gsx/pack.hpp> on the current device. Throws the same, and DeviceError.
template <class Value>
GSX_API void unpack_by_device(const PackedView& packed, std::uint64_t first, std::span<Value> out,
                              const DeviceMemory& memory = {}, int threads = 0);
template <class Value>
GSX_API void unpack_by_device(const InterleavedView& packed, std::uint64_t first,
                              std::span<Value> out, const DeviceMemory& memory = {},
                              int threads = 0);

}  // namespace gsx
