// What ends a run whose index changes meanwhile.
#pragma once

#include <string>

#include "base/error.hpp"

namespace gsx {

/// The file of an index was written to while it was in use: no fault of the file as it is now.
struct GSX_API IndexChangedError : CorruptIndexError {
  explicit IndexChangedError(const std::string& what) : CorruptIndexError(what) {}
};

[[noreturn]] void throw_index_changed(const std::string& path);

}  // namespace gsx
