// Asking for memory while arrays grow to a size that nobody knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace gsx {

/// Called with the bytes that are about to be taken beside what the process holds; throws if they
/// are too many. Different threads may call it. May be empty.
using RequireMemory = std::function<void(std::uint64_t bytes)>;

/// Asks before arrays grow. What is asked for is as much as has come since it last asked: as much
/// may come again before it asks next.
class MemoryGrowth {
 public:
  explicit MemoryGrowth(RequireMemory require = {}) : require_(std::move(require)) {}

  /// Takes the bytes that the arrays have now. Cost: next to nothing, but once for each megabyte.
  void grown_to(std::uint64_t bytes) {
    if (bytes >= next_) ask(bytes);
  }

 private:
  static constexpr std::uint64_t step = std::uint64_t{1} << 20;

  void ask(std::uint64_t bytes) {
    const std::uint64_t more = bytes - asked_;
    asked_ = bytes;
    next_ = bytes + step;
    if (require_) require_(more);
  }

  RequireMemory require_;
  std::uint64_t asked_ = 0;
  std::uint64_t next_ = step;
};

/// Writes to each page of a buffer that is to be filled bit by bit, so that all of it counts as
/// held by the process from now on.
template <class T>
void touch_pages(Buffer<T>& buffer, int threads) {
  constexpr std::uint64_t page = 4096 / sizeof(T), slice = page << 8;
  parallel_for(threads, (buffer.size() + slice - 1) / slice, [&](std::uint64_t s, int) {
    for (std::uint64_t i = s * slice; i < std::min<std::uint64_t>(buffer.size(), (s + 1) * slice);
         i += page)
      buffer[i] = T{};
  });
}

}  // namespace gsx
