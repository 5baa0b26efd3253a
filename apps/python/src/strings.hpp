// Bytes of the library as str.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

namespace gsx::python {

/// A str of bytes that may not be UTF-8, such as those of a message, a name or a path.
inline nanobind::object decoded(std::string_view bytes) {
  nanobind::object text = nanobind::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
  if (!text.is_valid()) throw nanobind::python_error();
  return text;
}

}  // namespace gsx::python
