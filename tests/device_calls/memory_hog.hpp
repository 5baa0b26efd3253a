// Making the GPU's memory short.
#pragma once

#include <cstddef>

namespace gsx::testing {

/// Takes all memory of GPU 0 but about `left` bytes, the memory that its pool keeps unused
/// included, until it is destroyed.
class MemoryHog {
 public:
  explicit MemoryHog(std::size_t left);
  ~MemoryHog();
  MemoryHog(const MemoryHog&) = delete;
  MemoryHog& operator=(const MemoryHog&) = delete;

 private:
  void* memory_ = nullptr;
};

}  // namespace gsx::testing
