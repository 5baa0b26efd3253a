// The error of an allocation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace gsx {

/// There is too little memory, not too little room on a disk: less at a time may help.
struct OutOfMemoryError : ResourceError {
  using ResourceError::ResourceError;
};

/// A query alone is longer than there is memory for.
struct LongQueryError : OutOfMemoryError {
  /// `name` may be the beginning of it; `most` bytes would do.
  LongQueryError(std::string_view name, std::uint64_t most)
      : OutOfMemoryError("too little memory for the query '" + printable(name.substr(0, 60)) +
                         (name.size() > 60 ? "..." : "") + "' of more than " +
                         std::to_string(most) + " symbols") {}
};

}  // namespace gsx
