#include "warnings.hpp"

#include "strings.hpp"
#include "wording.hpp"

namespace nb = nanobind;

namespace gsx::python {

void warn(nb::handle category, const std::string& message) {
  const nb::object text = decoded(in_words_of_python(message));
  // The frame above that of the function in Python that called this one.
  if (PyErr_WarnFormat(category.ptr(), 2, "%U", text.ptr()) != 0) throw nb::python_error();
}

std::function<void(const std::string&)> ReadingWarnings::sink() {
  return [this](const std::string& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    messages_.push_back(message);
  };
}

void ReadingWarnings::give() const {
  for (const std::string& message : messages_)
    warn(PyExc_UserWarning, message);
}

}  // namespace gsx::python
