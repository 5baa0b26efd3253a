// Warnings of the library as those of Python.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace gsx::python {

/// Warns at the line that has called the package. Throws python_error if warnings are errors.
void warn(nanobind::handle category, const std::string& message);

/// What the library warns of while it reads files.
class ReadingWarnings {
 public:
  /// Takes a warning, on any thread. Refers to this.
  std::function<void(const std::string& message)> sink();

  /// Gives all to Python, as UserWarnings. The caller holds the lock of the interpreter.
  void give() const;

 private:
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

}  // namespace gsx::python
