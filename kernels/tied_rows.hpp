// The suffixes that are not yet told apart, gathered from all over the suffix array.
#pragma once

#include <cstdint>

#include "kernels/first_sort.hpp"
#include "kernels/group_sort.hpp"

namespace gsx::cuda {

/// Tied suffixes in row order. Slot i is row rows[i] of the suffix array and holds the suffix at
/// positions[i]; heads[i] is 1 where a group of tied suffixes begins. Only their order within a
/// group is still open.
class TiedRows {
 public:
  /// Gathers the tied rows of a first sort. Waits for the stream.
  TiedRows(const SortedRows& sorted, cudaStream_t stream);

  std::uint64_t size() const { return size_; }
  std::uint32_t* rows() { return rows_.data(); }
  std::uint32_t* positions() { return positions_.data(); }
  std::uint8_t* heads() { return heads_.data(); }
  std::uint64_t* keys() { return keys_.data(); }
  Slots slots() { return {keys_.data(), positions_.data(), heads_.data()}; }
  Slots other_slots() { return {other_keys_.data(), other_positions_.data(), other_heads_.data()}; }

  /// Sorts each group by keys(), which use the lowest `key_bits` bits, and sets heads() anew.
  void sort(std::uint32_t key_bits, EndedKeys ended);
  /// Makes other_slots(), which the caller has filled, the slots.
  void swap_slots();
  /// Writes positions() to their rows of the suffix array. Asynchronous.
  void store_async(std::uint32_t* d_suffix_array);
  /// Drops the slots that are alone in their group. Waits for the stream.
  void compact();

  cudaStream_t stream() const { return stream_; }

 private:
  std::uint64_t size_ = 0;
  cudaStream_t stream_;
  DeviceBuffer<std::uint32_t> rows_, other_rows_;
  DeviceBuffer<std::uint32_t> positions_, other_positions_;
  DeviceBuffer<std::uint8_t> heads_, other_heads_;
  DeviceBuffer<std::uint64_t> keys_, other_keys_;
  DeviceBuffer<std::uint64_t> d_selected_;
};

}  // namespace gsx::cuda
