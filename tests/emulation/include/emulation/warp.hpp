// The threads of a block, as the code of a kernel sees them: each is a fiber.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace gsx::emulation {

struct Index {
  unsigned x = 0;
};

/// Where the thread that runs stands.
struct Place {
  Index thread, block, block_size, grid_size;
};
extern thread_local constinit Place place;

/// Waits for all threads of the block that have not ended.
void wait_for_block(std::source_location where);

enum class Meeting : unsigned char { barrier, ballot, shuffle, match };

/// Waits for all lanes of the mask; returns what the function of a warp gives this lane. `from` is
/// the lane whose value is wanted.
std::uint64_t meet(Meeting meeting, std::uint32_t mask, std::uint64_t value, unsigned from,
                   std::source_location where);

/// Some lanes of the warp that have come to this place of the program, this one among them.
std::uint32_t lanes_here();

/// Memory of the block, the same for one `key` until the block ends; at first it holds rubbish.
void* shared_memory(const void* key, std::size_t bytes, std::size_t alignment);
/// What the launch asked for.
void* dynamic_shared_memory();

/// A shared variable of type T; `Unique` tells it from all others.
template <class T, class Unique>
T& shared() {
  static constexpr char key = 0;
  return *static_cast<T*>(shared_memory(&key, sizeof(T), alignof(T)));
}

template <class T>
T* dynamic_shared() {
  return static_cast<T*>(dynamic_shared_memory());
}

}  // namespace gsx::emulation
