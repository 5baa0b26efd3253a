// Sums over the threads of a block.
#pragma once

#include <cuda_runtime.h>

namespace cub {

template <class T, int threads>
class BlockScan {
 public:
  struct TempStorage {
    T sums[threads];
    T all;
  };

  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  void ExclusiveSum(T value, T& before, T& all) {
    storage_.sums[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      storage_.all = T{};
      for (T& sum : storage_.sums) {
        const T own = sum;
        sum = storage_.all;
        storage_.all = static_cast<T>(storage_.all + own);
      }
    }
    __syncthreads();
    before = storage_.sums[threadIdx.x];
    all = storage_.all;
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
