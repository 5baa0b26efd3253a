// Why the bytes of a file cannot be read on.
#pragma once

#include <stdexcept>
#include <string>

struct hFILE;

namespace gsx {

/// The bytes cannot be read on. what() says why and what to do, without the place, which only the
/// reader of the records knows.
struct SourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws SourceError with the system's reason.
[[noreturn]] void fail_with_errno(int number);
/// Throws SourceError for compressed data that is not as it was written.
[[noreturn]] void fail_damaged();

/// Throws SourceError for what follows compressed data that is whole.
[[noreturn]] void fail_trailing_bytes();

/// Reads on to the end behind compressed data that is whole. Zero bytes, with which some programs
/// fill a block up, are passed over, as gzip does; throws SourceError for all else.
void require_only_padding(hFILE& file);

}  // namespace gsx
