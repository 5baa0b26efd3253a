// Rows cut into slices that threads take one by one.
#pragma once

#include <cstdint>

#include "base/parallel.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

/// Rows [0, size) as slices for `threads` threads. A slice begins at a whole word of TieBits, so
/// two threads never read or write the same word.
class RowSlices {
 public:
  RowSlices(std::uint64_t size, int threads)
      : size_(size),
        threads_(threads),
        count_(static_cast<std::uint64_t>(threads) * sa_tuning::slices_per_thread) {}

  std::uint64_t count() const { return count_; }
  Slice operator[](std::uint64_t s) const { return slice_of(size_, count_, s, 64); }

  /// Calls work(slice) for each slice, on all threads.
  template <class Work>
  void for_each(const Work& work) const {
    parallel_for(threads_, count_, [&](std::uint64_t s, int) { work((*this)[s]); });
  }

 private:
  std::uint64_t size_;
  int threads_;
  std::uint64_t count_;
};

}  // namespace gsx
