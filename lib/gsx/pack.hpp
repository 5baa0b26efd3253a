// Arrays of unsigned integers in as many bits per value as they need.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/packing/interleaved_array.hpp"
#include "base/export.hpp"
#include "base/packed.hpp"

namespace gsx {

// Two layouts, of b bits per value each, for any b from 1 to 64:
//
// - PackedArray, a plain stream of bits: value i is in bits [i b, (i + 1) b). One load gives a
//   value, so it is the one for random access. It takes 16 bytes more.
// - InterleavedArray, whose words lie side by side as the lanes of a vector or a warp read them. It
//   is the one for whole arrays, on any CPU and on a GPU. It takes 4 (b + 31) bytes more at most.
//
// Both can only be moved. view()[i] is value i, and view() can be copied to where it is needed, to
// a kernel, too. PackedArray::bytes() and InterleavedArray::words() are what to store; views of
// what was stored are made of the same three members. <gsx/device_pack.cuh>, of a build with CUDA,
// makes and reads the same arrays on a GPU.
//
// `threads` is 0 for as many as this process may run. All functions throw ResourceError.

/// Returns the bits that hold each of the values, 1 to 64; 1 if there is none. Cost: one pass.
GSX_API std::uint32_t bits_needed(std::span<const std::uint8_t> values, int threads = 0);
GSX_API std::uint32_t bits_needed(std::span<const std::uint16_t> values, int threads = 0);
GSX_API std::uint32_t bits_needed(std::span<const std::uint32_t> values, int threads = 0);
GSX_API std::uint32_t bits_needed(std::span<const std::uint64_t> values, int threads = 0);

/// Returns the values as a plain stream of `bits` bits each. Throws UsageError unless `bits` is 1
/// to 64 and holds every value; it names the index of the first that is too large. Cost: about 1 ns
/// per value on one thread.
GSX_API PackedArray pack(std::span<const std::uint8_t> values, std::uint32_t bits, int threads = 0);
GSX_API PackedArray pack(std::span<const std::uint16_t> values, std::uint32_t bits,
                         int threads = 0);
GSX_API PackedArray pack(std::span<const std::uint32_t> values, std::uint32_t bits,
                         int threads = 0);
GSX_API PackedArray pack(std::span<const std::uint64_t> values, std::uint32_t bits,
                         int threads = 0);

/// Returns the values interleaved, of `bits` bits each. Throws and costs what pack() does.
GSX_API InterleavedArray pack_interleaved(std::span<const std::uint8_t> values, std::uint32_t bits,
                                          int threads = 0);
GSX_API InterleavedArray pack_interleaved(std::span<const std::uint16_t> values, std::uint32_t bits,
                                          int threads = 0);
GSX_API InterleavedArray pack_interleaved(std::span<const std::uint32_t> values, std::uint32_t bits,
                                          int threads = 0);
GSX_API InterleavedArray pack_interleaved(std::span<const std::uint64_t> values, std::uint32_t bits,
                                          int threads = 0);

/// Writes values [first, first + out.size()) to out. Throws UsageError if some of them are not in
/// the array, or if the type of `out` has fewer bits than its values. Cost: on one thread, of
/// values for 32 bits, about that of copying them.
GSX_API void unpack(const PackedView& packed, std::uint64_t first, std::span<std::uint8_t> out,
                    int threads = 0);
GSX_API void unpack(const PackedView& packed, std::uint64_t first, std::span<std::uint16_t> out,
                    int threads = 0);
GSX_API void unpack(const PackedView& packed, std::uint64_t first, std::span<std::uint32_t> out,
                    int threads = 0);
GSX_API void unpack(const PackedView& packed, std::uint64_t first, std::span<std::uint64_t> out,
                    int threads = 0);
GSX_API void unpack(const InterleavedView& packed, std::uint64_t first, std::span<std::uint8_t> out,
                    int threads = 0);
GSX_API void unpack(const InterleavedView& packed, std::uint64_t first,
                    std::span<std::uint16_t> out, int threads = 0);
GSX_API void unpack(const InterleavedView& packed, std::uint64_t first,
                    std::span<std::uint32_t> out, int threads = 0);
GSX_API void unpack(const InterleavedView& packed, std::uint64_t first,
                    std::span<std::uint64_t> out, int threads = 0);

}  // namespace gsx
