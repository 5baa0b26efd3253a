// The error for an index whose content leads a search outside it.
#pragma once

#include "base/error.hpp"

namespace gsx {

/// Checksums prove that an index is as it was written, not that it was written honestly. In a
/// forged index, a walk may leave the rows or never end.
[[noreturn]] __attribute__((noinline, cold)) inline void throw_index_fault() {
  throw CorruptIndexError(
      "the index is corrupt: a step through its BWT leads outside the text; rebuild it with gsx "
      "index");
}

}  // namespace gsx
