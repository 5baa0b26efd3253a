// Moves large arrays within little memory.
#pragma once

#include <cstddef>

namespace gsx {

/// Copies `bytes` to `to` and returns the pages of `from` to the system on the way, so that both
/// together take little more than one of them. The content of `from` is lost.
void move_bytes(void* to, void* from, std::size_t bytes);

}  // namespace gsx
