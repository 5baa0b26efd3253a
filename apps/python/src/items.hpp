// The items of what can be iterated over.
#pragma once

#include <nanobind/nanobind.h>

namespace gsx::python {

/// The items as a tuple, which no other thread changes; an invalid object if `iterable` is none.
/// Throws what an iterator throws on the way, such as KeyboardInterrupt.
inline nanobind::object items_of(nanobind::handle iterable) {
  nanobind::object items = nanobind::steal(PySequence_Tuple(iterable.ptr()));
  if (items.is_valid()) return items;
  // A TypeError of what is no iterator says that it cannot be iterated over.
  if (PyIter_Check(iterable.ptr()) != 0 || PyErr_ExceptionMatches(PyExc_TypeError) == 0)
    throw nanobind::python_error();
  PyErr_Clear();
  return items;
}

}  // namespace gsx::python
