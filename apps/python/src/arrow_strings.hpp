// Columns of strings by Arrow's C data interface, which needs no library.
#pragma once

#include <cstdint>
#include <string_view>

#include "views.hpp"

namespace gsx::python {

// The structures, as the interface lays them down.
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

/// Appends the strings of an array; null is an empty one. They are valid while the array is. Throws
/// UsageError for a type other than string or binary, plain, large or as views; `what` names the
/// column in the message.
void append_arrow_strings(const ArrowSchema& schema, const ArrowArray& array, Views& out,
                          const char* what);

}  // namespace gsx::python
