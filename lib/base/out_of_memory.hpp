// Errors of memory allocation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/messages.hpp"

namespace gsx {

/// Memory, and not disk space, is short: doing less at a time may help.
struct OutOfMemoryError : ResourceError {
  using ResourceError::ResourceError;
};

/// A single query is longer than memory allows.
struct LongQueryError : OutOfMemoryError {
  /// `name` may be the beginning of the name; `most` is the number of bytes that would fit.
  LongQueryError(std::string_view name, std::uint64_t most)
      : OutOfMemoryError("too little memory for the query '" + printable(name.substr(0, 60)) +
                         (name.size() > 60 ? "..." : "") + "', which takes more than " +
                         std::to_string(most) + " bytes") {}
};

}  // namespace gsx
