// Arrays of unsigned integers, packed and unpacked on threads.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/packing/interleaved_array.hpp"
#include "base/cpu_path.hpp"
#include "base/packed.hpp"

namespace gsx {

// All of these exist for Value of 8, 16, 32 and 64 bits.

/// Bits that hold each of the values, 1 to 64; 1 if there is none. Cost: one pass over them.
template <class Value>
std::uint32_t bits_needed(std::span<const Value> values, int threads);

/// The values as a plain stream. Cost: one pass over them. Throws UsageError unless bits is 1 to 64
/// and holds every value; it names the first that is too large. ResourceError.
template <class Value>
PackedArray pack(std::span<const Value> values, std::uint32_t bits, int threads);

/// The values in the interleaved layout. Throws and costs as pack().
template <class Value>
InterleavedArray pack_interleaved(std::span<const Value> values, std::uint32_t bits, int threads,
                                  CpuPath path);

/// Writes values [first, first + out.size()) to out. Cost: one pass over them. Throws UsageError if
/// some are not in the array, or if Value has fewer bits than its values.
template <class Value>
void unpack(const PackedView& packed, std::uint64_t first, std::span<Value> out, int threads,
            CpuPath path);
template <class Value>
void unpack(const InterleavedView& packed, std::uint64_t first, std::span<Value> out, int threads,
            CpuPath path);

}  // namespace gsx
