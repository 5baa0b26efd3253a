#include "errors.hpp"

#include <nanobind/nanobind.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "gsx/error.hpp"
#include "wording.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

const char* class_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "UsageError";
    case ErrorKind::input:
      return "InputError";
    case ErrorKind::index_foreign:
      return "ForeignIndexError";
    case ErrorKind::index_corrupt:
      return "CorruptIndexError";
    case ErrorKind::resources:
      return "ResourceError";
    case ErrorKind::device:
      return "DeviceError";
    case ErrorKind::runtime:
      break;
  }
  return "IoError";
}

/// Sets the error of Python. The message may hold bytes of a file name that are not UTF-8.
void raise(ErrorKind kind, const char* what) {
  const nb::object type = nb::module_::import_("gsx.errors").attr(class_of(kind));
  const std::string words = in_words_of_python(what);
  const nb::object message = nb::steal(
      PyUnicode_DecodeUTF8(words.data(), static_cast<Py_ssize_t>(words.size()), "surrogateescape"));
  PyErr_SetObject(type.ptr(), message.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    raise(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    raise(ErrorKind::resources, "out of memory");
  } catch (const std::length_error&) {
    raise(ErrorKind::resources, "out of memory: an array would be longer than any can be");
  }
}

}  // namespace

void register_errors() {
  nb::register_exception_translator(translate);
}

}  // namespace gsx::python
