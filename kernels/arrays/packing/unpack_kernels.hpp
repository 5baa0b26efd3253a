// Packed integers read on the device: in ranges, and at any places.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "arrays/packing/interleaved_view.hpp"
#include "base/packed.hpp"

namespace gsx::cuda {

/// Where the first element of a packed array on the device must lie, in bytes: a warp reads it in
/// vectors.
inline constexpr std::uint64_t packed_alignment = 16;

/// Writes values [first, first + count) to d_out. Asynchronous. Pre: they are in the array, which
/// is aligned to packed_alignment; Value has packed.bits bits at least. Cost: one pass over both,
/// in vectors of 16 bytes if d_out - first is aligned to as many, else in rows of 32 values. Throws
/// DeviceError. Exists, as the next one, for unsigned integers of 8, 16, 32 and 64 bits.
template <class Value>
void unpack_async(const PackedView& d_packed, std::uint64_t first, std::uint64_t count,
                  Value* d_out, cudaStream_t stream);
template <class Value>
void unpack_async(const InterleavedView& d_packed, std::uint64_t first, std::uint64_t count,
                  Value* d_out, cudaStream_t stream);

/// Writes value d_positions[k] to d_out[k], for `count` of them. Asynchronous. Pre: the positions
/// are below the size; Value has d_packed.bits bits at least. Cost: for each, one or two random
/// sectors of memory. Throws DeviceError. Exists for positions of 32 and 64 bits.
template <class Pos, class Value>
void gather_async(const PackedView& d_packed, const Pos* d_positions, std::uint64_t count,
                  Value* d_out, cudaStream_t stream);
template <class Pos, class Value>
void gather_async(const InterleavedView& d_packed, const Pos* d_positions, std::uint64_t count,
                  Value* d_out, cudaStream_t stream);

}  // namespace gsx::cuda
