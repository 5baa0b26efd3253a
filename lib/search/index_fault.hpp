// What searchers say of an index that was not written honestly.
#pragma once

#include "base/error.hpp"

namespace gsx {

/// Checksums say that an index is as it was written, not that it was written honestly: a walk that
/// leaves the rows, or does not end, is the mark of one that was not.
[[noreturn]] __attribute__((noinline, cold)) inline void throw_index_fault() {
  throw CorruptIndexError(
      "the index is corrupt: a step through its BWT leads outside the text; rebuild it with gsx "
      "index");
}

}  // namespace gsx
