#include "base/memory_limit.hpp"

#include <string>
#include <utility>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/resources.hpp"

namespace gsx {

MemoryLimit::MemoryLimit(std::function<MemoryRoom()> room)
    : ask_(std::move(room)), room_(ask_()), held_(room_.bytes) {}

std::optional<MemoryLimit> MemoryLimit::below(std::uint64_t bytes) {
  if (bytes == ~std::uint64_t{0}) return std::nullopt;
  return MemoryLimit([bytes] { return MemoryRoom{bytes, "the memory limit", true}; });
}

void MemoryLimit::require(std::uint64_t bytes) {
  held_ += bytes;
  if (held_ <= room_.bytes) return;
  held_ = resident_bytes() + bytes;
  if (held_ <= room_.bytes) {
    // Other threads allocate without asking: count half of what is left as used, so that the system
    // is asked more often the closer the limit is.
    held_ += (room_.bytes - held_) / 2;
    return;
  }
  room_ = ask_();
  if (held_ <= room_.bytes) return;
  release_freed_memory();
  held_ = resident_bytes() + bytes;
  if (held_ <= room_.bytes) return;
  throw ResourceError(
      memory_shortage("reading the input", held_, room_.limited_by, room_.bytes, " so far") +
      "; allow more, or index parts of the input one by one");
}

}  // namespace gsx
