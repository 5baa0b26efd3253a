// Errors that stop the reading of a file.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

struct hFILE;

namespace gsx {

/// The bytes of a file cannot be read any further. what() says why and what to do; the reader of
/// the records adds where.
struct SourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file cannot be opened because too many others are.
struct OpenFilesError : SourceError {
  using SourceError::SourceError;
};

/// To read a file takes more memory than is allowed.
struct MemoryError : SourceError {
  using SourceError::SourceError;
};

/// Throws SourceError with the system's reason; OpenFilesError if that is the number of open files.
[[noreturn]] void fail_with_errno(int number);
/// Throws SourceError for damaged compressed data.
[[noreturn]] void fail_damaged();

/// Throws SourceError for bytes after complete compressed data, which begin with `bytes`. `hint`
/// says what passes them over.
[[noreturn]] void fail_trailing_bytes(std::string_view bytes,
                                      const std::string& hint = " ('gzip -dc' ignores them)");

/// Reads to the end of the file, after complete compressed data. Skips zero bytes, as gzip does:
/// some programs fill a block with them. Throws SourceError for any other byte.
void require_only_padding(hFILE& file);

}  // namespace gsx
