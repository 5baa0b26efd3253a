// Errors of the library as exceptions of Python, and errors that only the package has.
#pragma once

#include <string>
#include <vector>

#include "gsx/error.hpp"

namespace gsx::python {

/// An argument of a wrong type: a UsageError that is a TypeError, too.
class ArgumentTypeError : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Makes the errors of the library come out as the classes of gsx/errors.py.
void register_errors();

/// Throws the error as one of a missing file if it may be that, and a file does not exist.
void throw_if_missing(const Error& error, const std::vector<std::string>& files);

/// Calls `work`; where it throws because one of the files does not exist, the error is also a
/// FileNotFoundError, which names the first such file.
template <class Work>
void with_files(const std::vector<std::string>& files, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw_if_missing(error, files);
    throw;
  }
}

}  // namespace gsx::python
