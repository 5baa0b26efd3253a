// Arrays of unsigned integers: in as many bits per value as they need, with nearest smaller values
// and range minima, and with rank and select.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/minima/no_position.hpp"
#include "arrays/minima/range_minima.hpp"
#include "arrays/packing/interleaved_array.hpp"
#include "arrays/wavelet/wavelet_sequence.hpp"
#include "base/export.hpp"
#include "base/packed.hpp"

namespace gsx::arrays {

using gsx::InterleavedArray;
using gsx::PackedArray;
using gsx::RangeMinima;
using gsx::WaveletSequence;

// Two layouts, of b bits per value each, for any b from 1 to 64:
//
// - PackedArray, a plain stream of bits: value i is in bits [i b, (i + 1) b). One load gives a
//   value, so it is the one for random access. It takes 16 bytes more.
// - InterleavedArray, whose words lie side by side as the lanes of a vector or a warp read them. It
//   is the one for whole arrays, on any CPU and on a GPU. It takes 4 (b + 31) bytes more at most.
//
// Both can only be moved. view()[i] is value i, and view() can be copied to where it is needed, to
// a kernel, too. PackedArray::bytes() and InterleavedArray::words() are what to store; views of
// what was stored are made of the same three members. <gsx/device_arrays.cuh>, of a build with
// CUDA, makes and reads the same arrays on a GPU.
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

/// Writes for each i the position of the nearest smaller value on the left, the largest j < i with
/// values[j] < values[i], to left[i], and that of the nearest on the right, the smallest j > i, to
/// right[i]; no_position<Position>, the largest number, where there is none. With Smaller::or_equal
/// on a side, equal values count there too. An empty span takes nothing. `threads` is 0 for as many
/// as this process may run. Throws UsageError if a span has another size than `values` and is not
/// empty, or if Position cannot hold the positions; ResourceError.
/// Cost: about 10 ns per value on one thread for values in random order, less for others. Memory:
/// next to nothing for values in random order, 12 bytes per value for sorted ones, and 24 for equal
/// ones on several threads; at most twice as much for 64-bit values or positions.
GSX_API void nearest_smaller(std::span<const std::uint8_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint8_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint16_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint16_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint32_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint32_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint64_t> values, std::span<std::uint32_t> left,
                             std::span<std::uint32_t> right, const SmallerRules& rules = {},
                             int threads = 0);
GSX_API void nearest_smaller(std::span<const std::uint64_t> values, std::span<std::uint64_t> left,
                             std::span<std::uint64_t> right, const SmallerRules& rules = {},
                             int threads = 0);

/// Writes the position of the leftmost minimum of ranges[k] to positions[k]. One range at a time is
/// minima.view().leftmost(). `threads` is 0 for as many as this process may run. Throws UsageError
/// for a range that holds no value or reaches beyond the array, and if the spans differ in size.
/// Cost: on one thread about 0.5 µs per range with random ends in 2^28 values of 32 bits.
template <class Value>
GSX_API void leftmost_minima(const RangeMinima<Value>& minima, std::span<const ValueRange> ranges,
                             std::span<std::uint64_t> positions, int threads = 0);

extern template void leftmost_minima(const RangeMinima<std::uint8_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);
extern template void leftmost_minima(const RangeMinima<std::uint16_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);
extern template void leftmost_minima(const RangeMinima<std::uint32_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);
extern template void leftmost_minima(const RangeMinima<std::uint64_t>&, std::span<const ValueRange>,
                                     std::span<std::uint64_t>, int);

// <gsx/device_arrays.cuh>, of a build with CUDA, has the same sequences and queries on a GPU.

/// Writes the value at positions[k] to values[k]. One at a time is sequence.view().access().
/// `threads` is 0 for as many as this process may run. Throws UsageError for a position outside the
/// sequence, and if the spans differ in size. Cost: one cache line per digit of a code, for 32
/// queries at the same time.
GSX_API void access(const WaveletSequence& sequence, std::span<const std::uint64_t> positions,
                    std::span<std::uint64_t> values, int threads = 0);

/// Writes how often values[k] occurs before positions[k] to ranks[k]; 0 for a value that does not
/// occur. Throws UsageError for a position beyond the end of the sequence, and if the spans differ
/// in size. Cost: as access(), and a search among the distinct values where these are far apart.
GSX_API void rank(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
                  std::span<const std::uint64_t> positions, std::span<std::uint64_t> ranks,
                  int threads = 0);

/// Writes the position of the occurrence of values[k] that has numbers[k] before it to
/// positions[k]; WaveletSequenceView::not_found, the largest number, where there is none. Throws
/// UsageError if the spans differ in size. Cost: as rank(), with some two cache lines per digit.
GSX_API void select(const WaveletSequence& sequence, std::span<const std::uint64_t> values,
                    std::span<const std::uint64_t> numbers, std::span<std::uint64_t> positions,
                    int threads = 0);

}  // namespace gsx::arrays
