// Errors by kind. The library throws them and never prints or exits. A program maps the kind to its
// exit code; the values are those that gsx documents.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/export.hpp"

#if __cplusplus < 202002L
#error "gsx needs C++20: compile with -std=c++20"
#endif

namespace gsx {

enum class ErrorKind : int {
  runtime = 1,        ///< anything not named below
  usage = 2,          ///< the request is invalid
  input = 3,          ///< a sequence file is missing, unreadable or malformed
  index_foreign = 4,  ///< the index is missing, not a gsx index, or of another format version
  index_corrupt = 5,  ///< the index is damaged, or not the one asked for
  resources = 6,      ///< out of memory or disk
  device = 7,         ///< a GPU was demanded and cannot be used
};

/// Base of all errors: what() is one line that says what is wrong, where, and what to do.
class GSX_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

struct GSX_API RuntimeError : Error {
  explicit RuntimeError(const std::string& what) : Error(ErrorKind::runtime, what) {}
};
struct GSX_API UsageError : Error {
  explicit UsageError(const std::string& what) : Error(ErrorKind::usage, what) {}
};
struct GSX_API InputError : Error {
  explicit InputError(const std::string& what) : Error(ErrorKind::input, what) {}
};
struct GSX_API ForeignIndexError : Error {
  explicit ForeignIndexError(const std::string& what) : Error(ErrorKind::index_foreign, what) {}
};
struct GSX_API CorruptIndexError : Error {
  explicit CorruptIndexError(const std::string& what) : Error(ErrorKind::index_corrupt, what) {}
};
struct GSX_API ResourceError : Error {
  explicit ResourceError(const std::string& what) : Error(ErrorKind::resources, what) {}
};
struct GSX_API DeviceError : Error {
  explicit DeviceError(const std::string& what) : Error(ErrorKind::device, what) {}
};

}  // namespace gsx
