#include "device/build.hpp"

#include <utility>

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/resources.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

void HostMemory::require(std::uint64_t bytes, const std::string& use) const {
  if (hard && !has_room(bytes)) throw ResourceError(shortage(bytes, use));
}

std::string HostMemory::shortage(std::uint64_t bytes, const std::string& use) const {
  return memory_shortage(use, total(bytes), limited_by, limit, " of the host's in all");
}

HostMemory HostMemory::now() const {
  HostMemory now = *this;
  // In this order: what is written in between counts twice rather than not at all.
  now.used = coming == nullptr ? 0 : coming->load();
  now.used += resident_bytes();
  return now;
}

RequireMemory HostMemory::require_as_needed(std::string use) const {
  return [memory = *this, use = std::move(use)](std::uint64_t bytes) {
    if (memory.now().has_room(bytes)) return;
    // What the allocator keeps counts as resident.
    release_freed_memory();
    memory.now().require(bytes, use);
  };
}

HostMemory HostMemory::below(std::uint64_t limit) {
  HostMemory memory;
  if (limit == unlimited) return memory;
  memory.limit = limit;
  memory.used = resident_bytes();
  memory.limited_by = "the memory limit";
  return memory;
}

}  // namespace gsx
