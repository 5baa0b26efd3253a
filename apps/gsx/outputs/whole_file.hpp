// Files of other kinds than sequences, read as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/buffer.hpp"
#include "options/numbers.hpp"

namespace gsx::app {

/// The bytes of a file or stream, in a buffer that may be larger.
struct WholeFile {
  Buffer<std::uint8_t> buffer;
  std::uint64_t size = 0;

  std::span<const std::uint8_t> bytes() const { return buffer.span().first(size); }
};

/// A path as messages show it; "-" is standard input.
std::string shown_file(const std::string& path);

/// Reads a file; "-" is standard input. `what` says what the file should be. Throws InputError for
/// one that cannot be read or is empty, and ResourceError, before the limit is exceeded.
WholeFile read_whole(const std::string& path, const char* what, const SizeLimit& limit);

}  // namespace gsx::app
