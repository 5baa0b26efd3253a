// Copies to large arrays that are read later.
#pragma once

#include <cstddef>

namespace gsx {

/// An array that is larger is in no cache when its last bytes are written.
constexpr std::size_t larger_than_caches = std::size_t{8} << 20;

/// Copies `bytes` to memory, without reading its cache lines first. That pays where `from` is in a
/// cache and `to` belongs to an array that is larger_than_caches. Where the CPU has no such stores,
/// copies as std::memcpy does. Other threads see the bytes after finish_copies_past_caches() only.
void copy_past_caches(void* to, const void* from, std::size_t bytes);

/// Waits until all that this thread has copied is in memory. Cost: some 100 ns.
void finish_copies_past_caches();

}  // namespace gsx
