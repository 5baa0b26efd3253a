// Rank, access and select over integers of any alphabet on a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <span>

#include "arrays/wavelet/wavelet_sequence.hpp"
#include "base/export.hpp"
#include "kernels/gsx/device_memory.cuh"

namespace gsx {

/// A wavelet sequence in device memory, the same as <gsx/wavelet.hpp> builds. Refers to nothing of
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

  // Queries in host memory: as access(), rank() and select() of <gsx/wavelet.hpp>, with the same
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

/// A sequence in host memory, the same as WaveletSequence(array, shape, threads) builds, with
/// levels that are made on the current device: piece by piece, so that an array of any size passes
/// through what memory there is. `threads` find the distinct values and copy. Throws what that
/// throws, and DeviceError; ResourceError also where the device has no room for a piece, 70 to 240
/// KB. Exists for unsigned integers of 8, 16, 32 and 64 bits.
template <class Value>
GSX_API WaveletSequence wavelet_by_device(std::span<const Value> array,
                                          WaveletShape shape = WaveletShape::balanced,
                                          const DeviceMemory& memory = {}, int threads = 0);

}  // namespace gsx
