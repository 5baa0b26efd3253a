#include "errors.hpp"

#include <nanobind/nanobind.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "strings.hpp"
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

/// A missing file or index, by its kind.
class MissingError : public Error {
 public:
  MissingError(const Error& error, std::string file)
      : Error(error.kind(), error.what()), file_(std::move(file)) {}
  const std::string& file() const { return file_; }

 private:
  std::string file_;
};

nb::object class_named(const char* name) {
  return nb::module_::import_("gsx.errors").attr(name);
}

/// Sets the error of Python.
void raise(const char* type, const char* what) {
  PyErr_SetObject(class_named(type).ptr(), decoded(in_words_of_python(what)).ptr());
}

/// Sets the error of a missing file, with its name and the error number of the system.
void raise(const MissingError& error) {
  const bool is_index = error.kind() == ErrorKind::index_foreign;
  const nb::object type = class_named(is_index ? "MissingIndexError" : "MissingFileError");
  const nb::object raised =
      type(ENOENT, decoded(in_words_of_python(error.what())), decoded(error.file()));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const MissingError& error) {
    raise(error);
  } catch (const ArgumentTypeError& error) {
    raise("ArgumentTypeError", error.what());
  } catch (const Error& error) {
    raise(class_of(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    raise("ResourceError", "out of memory");
  } catch (const std::length_error&) {
    raise("ResourceError", "out of memory: an array would be longer than any can be");
  }
}

}  // namespace

void register_errors() {
  nb::register_exception_translator(translate);
}

void throw_if_missing(const Error& error, const std::vector<std::string>& files) {
  if (error.kind() != ErrorKind::input && error.kind() != ErrorKind::index_foreign) return;
  for (const std::string& file : files) {
    std::error_code code;
    if (file != "-" && !std::filesystem::exists(file, code) && !code)
      throw MissingError(error, file);
  }
}

}  // namespace gsx::python
