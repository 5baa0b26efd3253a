#include "base/buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <string>

#include "base/out_of_memory.hpp"

namespace gsx {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Below this size, rounding up to huge pages would waste more than the page faults cost.
constexpr std::size_t huge_page_threshold = std::size_t{16} << 20;

}  // namespace

void* allocate_bytes(std::size_t bytes, const char* what) {
  if (bytes == 0) return nullptr;
  const std::size_t alignment = bytes >= huge_page_threshold ? huge_page : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (pointer == nullptr) {
    throw OutOfMemoryError("out of memory: " + std::to_string(bytes) + " bytes asked for " + what);
  }
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) madvise(pointer, rounded, MADV_HUGEPAGE);
#endif
  return pointer;
}

void free_bytes(void* pointer, std::size_t) noexcept {
  std::free(pointer);
}

}  // namespace gsx
