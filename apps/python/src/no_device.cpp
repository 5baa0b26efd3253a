// What stands for device/ in a package without CUDA.
#include <nanobind/nanobind.h>

#include "device_arrays.hpp"
#include "gsx/error.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

[[noreturn]] void refuse() {
  throw DeviceError(
      "this gsx was built without CUDA: copy the array to host memory, or build the package with "
      "-C cmake.define.GSX_CUDA=ON");
}

/// Stands for the classes that only a package with CUDA has.
struct DeviceArray {};
struct DeviceIndex {};

}  // namespace

nb::object device_suffix_array(const nb::object&, const nb::object&) {
  refuse();
}
nb::object device_inverse_suffix_array(const nb::object&, const nb::object&) {
  refuse();
}
nb::object device_bwt(const nb::object&, const nb::object&) {
  refuse();
}
nb::object device_inverse_bwt(const nb::object&, std::uint64_t, const nb::object&) {
  refuse();
}

void register_device(nb::module_& module) {
  nb::class_<DeviceArray>(module, "DeviceArray",
                          "An array in the memory of a GPU. This package was built without CUDA.");
  nb::class_<DeviceIndex>(module, "DeviceIndex",
                          "An index in the memory of a GPU. This package was built without CUDA.")
      .def(
          "__init__", [](DeviceIndex*, const nb::object&, const nb::object&) { refuse(); },
          nb::arg("index"), nb::kw_only(), nb::arg("device").none() = nb::none());
  module.def(
      "to_device",
      [](const nb::object&, const nb::object&, const nb::object&) -> nb::object { refuse(); },
      nb::arg("data"), nb::kw_only(), nb::arg("device").none() = nb::none(),
      nb::arg("stream").none() = nb::none(),
      nb::sig("def to_device(data: typing.Any, *, device: int | None = None, "
              "stream: int | None = None) -> DeviceArray"),
      "Copies an array to the GPU. This package was built without CUDA: it raises DeviceError.");
}

}  // namespace gsx::python
