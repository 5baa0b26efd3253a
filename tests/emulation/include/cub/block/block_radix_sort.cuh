// Sorting the keys of a block's threads.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "emulation/radix_sort.hpp"

namespace cub {

template <class Key, int threads, int items>
class BlockRadixSort {
 public:
  struct TempStorage {
    Key keys[threads * items];
  };

  explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  void SortBlockedToStriped(Key (&keys)[items], int begin_bit = 0, int end_bit = sizeof(Key) * 8) {
    std::copy(keys, keys + items, storage_.keys + threadIdx.x * items);
    __syncthreads();
    if (threadIdx.x == 0) sort(begin_bit, end_bit);
    __syncthreads();
    for (int i = 0; i < items; ++i)
      keys[i] = storage_.keys[static_cast<unsigned>(i * threads) + threadIdx.x];
  }

 private:
  void sort(int begin_bit, int end_bit) {
    const std::vector<Key> before(storage_.keys, storage_.keys + threads * items);
    const auto order =
        gsx::emulation::sorted_order(before.data(), before.size(), begin_bit, end_bit);
    for (std::size_t i = 0; i < order.size(); ++i)
      storage_.keys[i] = before[order[i]];
  }

  TempStorage& storage_;
};

}  // namespace cub
