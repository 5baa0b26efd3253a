// Messages of the library in the words of the package.
#pragma once

#include <string>

namespace gsx::python {

/// A message of the library, which names options of the program gsx and pipes to it, with the
/// parameters of the package in their place, and files where a pipe would be.
std::string in_words_of_python(std::string message);

}  // namespace gsx::python
