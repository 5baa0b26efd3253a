// Neighbours of short sequences, and longest prefixes, in device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "base/export.hpp"
#include "kernels/base/device_memory.cuh"
#include "search/sets/prefix_set.hpp"
#include "search/sets/sequence_key.hpp"

namespace gsx {

/// Keys of sequences of one length in device memory, as a SequenceSet (<gsx/barcodes.hpp>) has
/// them: shape.words() words each, two bits per symbol (A C G T are 0 to 3), or three (A C G N T
/// are 0 to 4). The last symbol is in the lowest bits of the last word; a word holds 32 or 21
/// symbols, and the first word may have room.
struct DeviceSequences {
  const std::uint64_t* words = nullptr;  ///< [size * shape.words()]: ascending, no two equal
  std::uint64_t size = 0;                ///< below 2^31
  SequenceShape shape;
};

/// The neighbours of sequences in device memory: those that differ in few symbols. First they are
/// counted, so that the caller can make room, then listed. Finds what find_neighbors() of
/// <gsx/barcodes.hpp> finds. Can only be moved. Several threads may call.
class GSX_API DeviceNeighbors {
 public:
  /// Of each sequence, those of the same set that follow it, so that each pair comes once; with at
  /// most `distance` symbols that differ, 1 or 2. Refers to the sequences, which must stay as they
  /// are. Waits for the stream. Throws UsageError for another distance, a shape that no set has,
  /// and keys that do not ascend or are not of the shape; ResourceError, DeviceError. Cost: two
  /// passes. Memory: a table of 4 to 20 bytes per sequence, at most 1 GiB and a quarter of what is
  /// free; with less, searches take longer.
  DeviceNeighbors(const DeviceSequences& set, unsigned distance, cudaStream_t stream,
                  const DeviceMemory& memory = {});
  /// Of each sequence, those of `other`, also at distance 0. Throws UsageError for sets of
  /// different shapes, too. The table is that of `other`.
  DeviceNeighbors(const DeviceSequences& set, const DeviceSequences& other, unsigned distance,
                  cudaStream_t stream, const DeviceMemory& memory = {});
  DeviceNeighbors(DeviceNeighbors&&) noexcept;
  DeviceNeighbors& operator=(DeviceNeighbors&&) noexcept;
  ~DeviceNeighbors();

  /// Bytes of device memory that it takes.
  std::uint64_t bytes() const;
  /// Writes to d_offsets, [size + 1], how many neighbours all sequences before each have, and
  /// returns the last one: how many there are. Waits for the stream. Throws ResourceError,
  /// DeviceError. Cost: for each sequence, a look at each bucket of leading symbols that differs
  /// from its own in up to `distance` of them: some 40 or 700 at ten million sequences.
  std::uint64_t count(std::uint64_t* d_offsets, cudaStream_t stream) const;
  /// Writes the neighbours of sequences [begin, end), by their numbers, ascending for each, to
  /// d_others. Asynchronous; this must outlive the work. Throws UsageError unless begin <= end <=
  /// size; DeviceError. Pre: d_offsets is what count() wrote, and there is room for d_offsets[end]
  /// - d_offsets[begin] numbers. Cost: as that of count(), for those that have neighbours.
  void list(std::uint64_t begin, std::uint64_t end, const std::uint64_t* d_offsets,
            std::uint32_t* d_others, cudaStream_t stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A PrefixSet (<gsx/barcodes.hpp>) in device memory. Refers to nothing of what it was made of. Can
/// only be moved. Several threads may call.
class GSX_API DevicePrefixSet {
 public:
  /// A copy of a set on the current device. `threads` copy, 0 for as many as this process may run.
  /// Throws ResourceError, DeviceError. Memory: that of the set.
  explicit DevicePrefixSet(const PrefixSet& set, const DeviceMemory& memory = {}, int threads = 0);
  DevicePrefixSet(DevicePrefixSet&&) noexcept;
  DevicePrefixSet& operator=(DevicePrefixSet&&) noexcept;
  ~DevicePrefixSet();

  /// Bytes of device memory that it takes.
  std::uint64_t bytes() const;
  /// For the caller's kernels: longest_prefix() of one query, which gives an entry. Valid while
  /// this lives.
  PrefixSetView view() const;
  /// In device memory: of each entry, the index of its sequence in what the set was made of.
  const std::uint32_t* indexes() const;

  /// Writes to d_found[k] the index of the longest sequence of the set that query k begins with, or
  /// PrefixSetView::none. Query k has view().words() words from d_queries + k * view().words() on:
  /// its first d_lengths[k] bases as leading_bases() packs them, two bits each, the first one
  /// highest, and 0 behind them. Bases beyond view().longest do no harm. Asynchronous; this must
  /// outlive the work. Throws DeviceError. Cost: reading the query, and two or three random sectors
  /// of 32 bytes.
  void longest_prefixes(const std::uint64_t* d_queries, const std::uint32_t* d_lengths,
                        std::uint64_t count, std::uint32_t* d_found, cudaStream_t stream) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx
