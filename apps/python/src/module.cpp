// The extension module _gsx.
#include <nanobind/nanobind.h>

#include "device_arrays.hpp"
#include "errors.hpp"
#include "index_object.hpp"

namespace nb = nanobind;

NB_MODULE(_gsx, module) {
  module.attr("__version__") = GSX_VERSION;
  module.attr("cuda") = static_cast<bool>(GSX_WITH_CUDA);
  gsx::python::register_errors();
  gsx::python::register_device(module);
  gsx::python::IndexClass index(
      module, "Index",
      "An index of sequences, as build() and open() give it. It can be searched by several threads "
      "at once, which do not hold the lock of the interpreter meanwhile.");
  gsx::python::register_sorting(module);
  gsx::python::register_reading(module);
  gsx::python::register_building(module, index);
  gsx::python::register_opening(module, index);
  gsx::python::register_records(module, index);
  gsx::python::register_counting(index);
  gsx::python::register_locating(index);
  gsx::python::register_matching(index);
  gsx::python::register_guides(index);
  gsx::python::register_mappability(index);
  gsx::python::register_primers(index);
  gsx::python::register_repeats(index);
  gsx::python::register_phrases(index);
  gsx::python::register_sets(module);
}
