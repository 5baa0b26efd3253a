#include "base/buffer.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/byte_text.hpp"
#include "base/out_of_memory.hpp"

namespace gsx {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
/// Below this size, rounding up to huge pages would waste more than the page faults cost.
constexpr std::size_t huge_page_threshold = std::size_t{16} << 20;
/// Memory of this size goes back to the system when it is freed. malloc would keep it where
/// something above it is in use, and a build with many large arrays would take a third more.
constexpr std::size_t return_threshold = std::size_t{3} << 20;
/// A multiple of the size of a page, on every system.
constexpr std::size_t whole_pages = std::size_t{64} << 10;

}  // namespace

void* allocate_bytes(std::size_t bytes, const char* what) {
  if (bytes == 0) return nullptr;
  const std::size_t alignment = bytes >= huge_page_threshold ? huge_page : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* pointer = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
  if (pointer == nullptr) {
    throw OutOfMemoryError("out of memory: " + bytes_text(bytes) + " asked for " + what);
  }
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) madvise(pointer, rounded, MADV_HUGEPAGE);
#endif
  return pointer;
}

void free_bytes(void* pointer, std::size_t bytes) noexcept {
#ifdef MADV_DONTNEED
  if (bytes >= return_threshold) {
    const std::size_t before = -reinterpret_cast<std::uintptr_t>(pointer) % whole_pages;
    const std::size_t inside = (bytes - before) / whole_pages * whole_pages;
    madvise(static_cast<char*>(pointer) + before, inside, MADV_DONTNEED);
  }
#endif
  std::free(pointer);
}

}  // namespace gsx
