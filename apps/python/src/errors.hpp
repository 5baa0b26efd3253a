// Errors of the library as exceptions of Python.
#pragma once

namespace gsx::python {

/// Makes the errors of the library come out as the classes of gsx/errors.py.
void register_errors();

}  // namespace gsx::python
