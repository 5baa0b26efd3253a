#include "base/move_bytes.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace gsx {

void move_bytes(void* to, void* from, std::size_t bytes) {
  constexpr std::size_t step = std::size_t{2} << 20;  // a huge page
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* target = static_cast<std::uint8_t*>(to);
  auto* source = static_cast<std::uint8_t*>(from);
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t count = std::min(step, bytes - done);
    std::memcpy(target + done, source + done, count);
    // Pages at the ends may hold other data.
    const auto address = reinterpret_cast<std::uintptr_t>(source + done);
    const auto begin = (address + page - 1) / page * page;
    const auto end = (address + count) / page * page;
    if (begin < end) madvise(source + done + (begin - address), end - begin, MADV_DONTNEED);
    done += count;
  }
}

}  // namespace gsx
