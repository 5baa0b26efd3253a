// Integers packed on the device, in both layouts of lib/arrays/packing.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gsx::cuda {

/// What `*d_wide` holds where every value fits.
inline constexpr std::uint64_t none_wide = ~std::uint64_t{0};

/// Packs d_values[0, count) as a plain stream of `bits` bits each, from the first bit of d_bytes
/// on: the bytes that hold a bit of a value, as PackedArray has them, and no slack. Sets *d_wide to
/// the smallest number of a value that takes more bits, if that is below what it holds; values are
/// numbered from `number` on; null: every value is known to fit. Asynchronous. Pre: bits is 1 to
/// 64; d_bytes is aligned to 4 bytes. Cost: one pass. Throws DeviceError. Exists for unsigned
/// integers of 8, 16, 32 and 64 bits.
template <class Value>
void pack_stream_async(const Value* d_values, std::uint64_t count, std::uint32_t bits,
                       std::uint64_t number, std::uint8_t* d_bytes, std::uint64_t* d_wide,
                       cudaStream_t stream);

/// The same, interleaved: fills InterleavedView::words_for(count, bits) words.
template <class Value>
void pack_interleaved_async(const Value* d_values, std::uint64_t count, std::uint32_t bits,
                            std::uint64_t number, std::uint32_t* d_words, std::uint64_t* d_wide,
                            cudaStream_t stream);

}  // namespace gsx::cuda
