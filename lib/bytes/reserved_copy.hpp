// Writes to a file in memory (tmpfs) on several threads.
#pragma once

#include <cstdint>
#include <string_view>

namespace gsx {

/// Copies bytes to [offset, offset + bytes.size()) of a file through a mapping of it, on `threads`
/// threads, where write() admits one writer at a time. Returns false if the file cannot be mapped;
/// then its content there is undefined. Pre: the file has its pages already (fallocate) and at
/// least that size; nobody truncates it.
bool copy_to_reserved(int fd, std::uint64_t offset, std::string_view bytes, int threads);

}  // namespace gsx
