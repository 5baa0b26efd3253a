// Radix sorts.
#pragma once

#include <cstring>
#include <vector>

#include "emulation/cub_call.hpp"
#include "emulation/radix_sort.hpp"

namespace cub {

template <class T>
struct DoubleBuffer {
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : buffers{current, alternate} {}
  T* Current() const { return buffers[selector]; }
  T* Alternate() const { return buffers[1 - selector]; }

  T* buffers[2] = {nullptr, nullptr};
  int selector = 0;
};

struct DeviceRadixSort {
  template <class Key, class Size>
  static cudaError_t SortKeys(void* workspace, std::size_t& bytes, const Key* in, Key* out,
                              Size size, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                              cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      const auto order = gsx::emulation::sorted_order(in, items, begin_bit, end_bit);
      for (std::size_t i = 0; i < items; ++i)
        out[i] = in[order[i]];
    });
  }
  template <class Key, class Size>
  static cudaError_t SortKeys(void* workspace, std::size_t& bytes, DoubleBuffer<Key>& keys,
                              Size size, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                              cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::size_t>(size);
    const DoubleBuffer<Key> k = keys;
    const bool swaps = gsx::emulation::swaps_buffers(begin_bit, end_bit);
    if (workspace != nullptr && swaps) keys.selector ^= 1;
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      const auto order = gsx::emulation::sorted_order(k.Current(), items, begin_bit, end_bit);
      for (std::size_t i = 0; i < items; ++i)
        k.Alternate()[i] = k.Current()[order[i]];
      if (!swaps) std::memcpy(k.Current(), k.Alternate(), items * sizeof(Key));
      // What the buffer without the result holds is nobody's.
      std::memset((swaps ? k.Current() : k.Alternate()), 0x5A, items * sizeof(Key));
    });
  }
  template <class Key, class Value, class Size>
  static cudaError_t SortPairs(void* workspace, std::size_t& bytes, const Key* in, Key* out,
                               const Value* values_in, Value* values_out, Size size,
                               int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                               cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::size_t>(size);
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      const auto order = gsx::emulation::sorted_order(in, items, begin_bit, end_bit);
      for (std::size_t i = 0; i < items; ++i) {
        out[i] = in[order[i]];
        values_out[i] = values_in[order[i]];
      }
    });
  }
  template <class Key, class Value, class Size>
  static cudaError_t SortPairs(void* workspace, std::size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Size size, int begin_bit = 0,
                               int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {
    const auto items = static_cast<std::size_t>(size);
    const DoubleBuffer<Key> k = keys;
    const DoubleBuffer<Value> v = values;
    const bool swaps = gsx::emulation::swaps_buffers(begin_bit, end_bit);
    if (workspace != nullptr && swaps) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
    return gsx::emulation::call_cub(workspace, bytes, items, stream, [=] {
      const auto order = gsx::emulation::sorted_order(k.Current(), items, begin_bit, end_bit);
      for (std::size_t i = 0; i < items; ++i) {
        k.Alternate()[i] = k.Current()[order[i]];
        v.Alternate()[i] = v.Current()[order[i]];
      }
      if (!swaps) {
        std::memcpy(k.Current(), k.Alternate(), items * sizeof(Key));
        std::memcpy(v.Current(), v.Alternate(), items * sizeof(Value));
      }
      // What the buffer without the result holds is nobody's.
      std::memset((swaps ? k.Current() : k.Alternate()), 0x5A, items * sizeof(Key));
      std::memset((swaps ? v.Current() : v.Alternate()), 0x5A, items * sizeof(Value));
    });
  }
};

}  // namespace cub
