// The items of an iterable.
#pragma once

#include <nanobind/nanobind.h>

namespace gsx::python {

/// The items as a tuple, which no other thread changes; an invalid object if `iterable` is none.
/// Throws what its iterator raises, such as KeyboardInterrupt.
inline nanobind::object items_of(nanobind::handle iterable) {
  nanobind::object items = nanobind::steal(PySequence_Tuple(iterable.ptr()));
  if (items.is_valid()) return items;
  // If the object is no iterator, a TypeError says that it is not iterable.
  if (PyIter_Check(iterable.ptr()) != 0 || PyErr_ExceptionMatches(PyExc_TypeError) == 0)
    throw nanobind::python_error();
  PyErr_Clear();
  return items;
}

}  // namespace gsx::python
