// How many k-mers are near the one at each position, and which positions need no more of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>

#include "analysis/mappability/frequency_codes.hpp"
#include "analysis/mappability/open_windows.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace gsx {

/// One count per position, added to in ranges by any thread. A position is open until its count and
/// its exact frequency reach the cap; what is added to others may be left out.
/// Memory: 4 bytes per position, and two bits (of one strand, one).
class NearCounts {
 public:
  /// Refers to the exact frequencies of the text. Throws ResourceError.
  NearCounts(const BothStrandsView& text, const NearWindows& windows, const FrequencyCodes& exact,
             std::uint64_t cap, int threads);

  /// The positions that are open.
  OpenWindows open() const { return {{open_.data(), size_}}; }
  NearPalindromes palindromes() const { return {{palindromes_.data(), 64 * palindromes_.size()}}; }

  /// Adds 1 to the positions of [begin, end). Any thread may call it.
  void add(std::uint64_t begin, std::uint64_t end) {
    std::atomic_ref(steps_[begin]).fetch_add(1, std::memory_order_relaxed);
    std::atomic_ref(steps_[end]).fetch_sub(1, std::memory_order_relaxed);
  }
  /// Closes the positions that have reached the cap. Nobody may add meanwhile. Cost: two passes.
  void close_full();

  /// Calls on_count(p, count) for each position, on several threads. Nobody may add meanwhile.
  template <class OnCount>
  void for_each(const OnCount& on_count) const;

 private:
  static constexpr std::uint64_t block = std::uint64_t{1} << 18;

  void find_palindromes(const BothStrandsView& text, const NearWindows& windows);

  const FrequencyCodes& exact_;
  std::uint64_t size_;
  std::uint64_t cap_;
  int threads_;
  Buffer<std::uint32_t> steps_;  ///< count at p minus that at p - 1, modulo 2^32
  Buffer<std::uint64_t> open_;   ///< a bit per position
  Buffer<std::uint64_t> palindromes_;
};

template <class OnCount>
void NearCounts::for_each(const OnCount& on_count) const {
  const std::uint64_t blocks = (size_ + block - 1) / block;
  Buffer<std::uint32_t> begins(blocks + 1, "near k-mers");
  const auto each_block = [&](const auto& work) {
    parallel_for(threads_, blocks, [&](std::uint64_t b, int) {
      work(b, b * block, std::min(size_, (b + 1) * block));
    });
  };
  each_block([&](std::uint64_t b, std::uint64_t begin, std::uint64_t end) {
    begins[b + 1] = std::accumulate(steps_.data() + begin, steps_.data() + end, std::uint32_t{0});
  });
  begins[0] = 0;
  std::partial_sum(begins.data(), begins.data() + blocks + 1, begins.data());
  each_block([&](std::uint64_t b, std::uint64_t begin, std::uint64_t end) {
    std::uint32_t count = begins[b];
    for (std::uint64_t p = begin; p < end; ++p) {
      count += steps_[p];
      on_count(p, count);
    }
  });
}

}  // namespace gsx
