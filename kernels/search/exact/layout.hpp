// Where arrays lie in one piece of memory.
#pragma once

#include <cstdint>

namespace gsx::cuda {

/// Gives arrays their places in one piece of memory, one behind the other.
class Layout {
 public:
  template <class T>
  std::uint64_t add(std::uint64_t count) {
    constexpr std::uint64_t alignment = 256;
    const std::uint64_t at = end_;
    end_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
    return at;
  }
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_ = 0;
};

}  // namespace gsx::cuda
