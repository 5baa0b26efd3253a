// Arrays of integers on a GPU: packed, in device memory or from host memory through the device, and
// with rank, access and select over any alphabet.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <span>

#include "arrays/minima/range_minima.hpp"
#include "arrays/packing/interleaved_array.hpp"
#include "arrays/wavelet/wavelet_sequence.hpp"
#include "base/export.hpp"
#include "base/packed.hpp"
#include "kernels/base/device_memory.cuh"

namespace gsx::arrays {

// Both layouts of <gsx/arrays.hpp>, with the same bytes. Values and results are unsigned integers
// of 8, 16, 32 or 64 bits. Packed arrays on the device are aligned to 16 bytes; what is not is
// refused with a UsageError. The interleaved layout is the one to unpack on a GPU.

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

/// pack() of <gsx/arrays.hpp> on the current device. Throws the same, and DeviceError.
template <class Value>
GSX_API PackedArray pack_by_device(std::span<const Value> values, std::uint32_t bits,
                                   const DeviceMemory& memory = {}, int threads = 0);
template <class Value>
GSX_API InterleavedArray pack_interleaved_by_device(std::span<const Value> values,
                                                    std::uint32_t bits,
                                                    const DeviceMemory& memory = {},
                                                    int threads = 0);

/// unpack() of <gsx/arrays.hpp> on the current device. Throws the same, and DeviceError.
template <class Value>
GSX_API void unpack_by_device(const PackedView& packed, std::uint64_t first, std::span<Value> out,
                              const DeviceMemory& memory = {}, int threads = 0);
template <class Value>
GSX_API void unpack_by_device(const InterleavedView& packed, std::uint64_t first,
                              std::span<Value> out, const DeviceMemory& memory = {},
                              int threads = 0);

/// Nearest smaller values of d_values, [size], as that of <gsx/arrays.hpp> has them, to
/// d_left and d_right, [size] each; null takes nothing. Waits for the stream. Throws UsageError if
/// Position cannot hold the positions, ResourceError, DeviceError. Exists for values of 8, 16, 32
/// and 64 bits, and positions of 32 and 64. Memory: 8.4 % of the array for 32-bit values.
template <class Value, class Position>
GSX_API void nearest_smaller(const Value* d_values, std::uint64_t size, Position* d_left,
                             Position* d_right, const SmallerRules& rules, cudaStream_t stream,
                             const DeviceMemory& memory = {});

}  // namespace gsx::arrays

namespace gsx {

/// A hierarchy of range minima over an array in device memory, which it does not own. Can only be
/// moved. Exists for values of 8, 16, 32 and 64 bits. Several threads may call.
template <class Value>
class GSX_API DeviceRangeMinima {
 public:
  /// Waits for the stream. Pre: the values stay as they are while this is used. Throws
  /// ResourceError, DeviceError. Memory: 8.4 % of an array of 32-bit values. Cost: one pass.
  DeviceRangeMinima(const Value* d_values, std::uint64_t size, cudaStream_t stream,
                    const DeviceMemory& memory = {});
  DeviceRangeMinima(DeviceRangeMinima&&) noexcept;
  DeviceRangeMinima& operator=(DeviceRangeMinima&&) noexcept;
  ~DeviceRangeMinima();

  /// For the caller's kernels. Valid while this lives.
  RangeMinimaView<Value> view() const;
  /// Bytes of device memory that it takes beside the array.
  std::uint64_t bytes() const;

  /// The position of the leftmost minimum of d_ranges[k] to d_positions[k], or the minimum to
  /// d_minima[k]; all are [count]. Pre: no range is empty or reaches beyond the array.
  /// Asynchronous. Throws DeviceError.
  void leftmost(const ValueRange* d_ranges, std::uint64_t count, std::uint64_t* d_positions,
                cudaStream_t stream) const;
  void minimum(const ValueRange* d_ranges, std::uint64_t count, Value* d_minima,
               cudaStream_t stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A wavelet sequence in device memory, the same as <gsx/arrays.hpp> builds. Refers to nothing of
/// what it was made of. Can only be moved. Several threads may call.
class GSX_API DeviceWaveletSequence {
 public:
  /// A copy of a sequence on the current device. `threads` copy, 0 for as many as this process may
  /// run. Throws ResourceError, DeviceError. Memory: that of the sequence.
  explicit DeviceWaveletSequence(const WaveletSequence& sequence, const DeviceMemory& memory = {},
                                 int threads = 0);
  /// Builds it of d_values, [size], unsigned integers of 8, 16, 32 or 64 bits in device memory,
  /// which may then change. Waits for the stream. Throws UsageError for more than 2^32 - 1 distinct
  /// values, ResourceError, DeviceError. Memory while it is built: twice 1, 2 or 4 bytes per
  /// element, by the length of codes. Before that 12 bytes per value up to the largest, and 16 per
  /// distinct one; or, where values are far apart, twice the array, and 24 bytes per distinct one.
  template <class Value>
  DeviceWaveletSequence(const Value* d_values, std::uint64_t size, WaveletShape shape,
                        cudaStream_t stream, const DeviceMemory& memory = {});
  DeviceWaveletSequence(DeviceWaveletSequence&&) noexcept;
  DeviceWaveletSequence& operator=(DeviceWaveletSequence&&) noexcept;
  ~DeviceWaveletSequence();

  std::uint64_t size() const { return view().size; }
  /// Bytes of device memory that it takes.
  std::uint64_t bytes() const;
  /// For the caller's kernels: access(), rank() and select() one at a time. Valid while this lives.
  WaveletSequenceView view() const;

  // Queries in device memory, with results there. Number is std::uint32_t or std::uint64_t; 32 bits
  // take fewer bytes. Asynchronous; this must outlive the work. Throws UsageError if 32 bits do not
  // hold the sequence's positions (up to 2^32 - 2) or, for access(), its values; DeviceError. Cost:
  // one random sector of 32 bytes per digit of a code (sigma symbols: log4 sigma, fewer in the
  // Huffman shape), and tables of the symbols, which caches hold.

  /// d_values[k] is the value at d_positions[k]. Pre: all positions are below the size.
  template <class Number>
  void access(const Number* d_positions, std::uint64_t count, Number* d_values,
              cudaStream_t stream) const;
  /// d_ranks[k] is how often d_values[k] occurs before d_positions[k]; 0 for a value that does not
  /// occur. Pre: no position is beyond the size.
  template <class Number>
  void rank(const Number* d_values, const Number* d_positions, std::uint64_t count, Number* d_ranks,
            cudaStream_t stream) const;
  /// d_positions[k] is that of the occurrence of d_values[k] that has d_numbers[k] before it; the
  /// largest number where there is none. Cost: about two sectors per digit.
  template <class Number>
  void select(const Number* d_values, const Number* d_numbers, std::uint64_t count,
              Number* d_positions, cudaStream_t stream) const;

  // Queries in host memory: as access(), rank() and select() of <gsx/arrays.hpp>, with the same
  // errors, and ResourceError, DeviceError. They cross the bus in pieces, some while others are
  // answered. `threads` copy, 0 for as many as this process may run.

  void access(std::span<const std::uint64_t> positions, std::span<std::uint64_t> values,
              int threads = 0) const;
  void rank(std::span<const std::uint64_t> values, std::span<const std::uint64_t> positions,
            std::span<std::uint64_t> ranks, int threads = 0) const;
  void select(std::span<const std::uint64_t> values, std::span<const std::uint64_t> numbers,
              std::span<std::uint64_t> positions, int threads = 0) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx

namespace gsx::arrays {

/// A sequence in host memory, the same as WaveletSequence(array, shape, threads) builds, with
/// levels that are made on the current device: piece by piece, so that an array of any size passes
/// through what memory there is. `threads` find the distinct values and copy. Throws what that
/// throws, and DeviceError; ResourceError also where the device has no room for a piece, 70 to 240
/// KB. Exists for unsigned integers of 8, 16, 32 and 64 bits.
template <class Value>
GSX_API WaveletSequence wavelet_by_device(std::span<const Value> array,
                                          WaveletShape shape = WaveletShape::balanced,
                                          const DeviceMemory& memory = {}, int threads = 0);

}  // namespace gsx::arrays
