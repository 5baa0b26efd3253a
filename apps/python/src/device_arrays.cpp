#include "device_arrays.hpp"

namespace nb = nanobind;

namespace gsx::python {

bool is_device_array(nb::handle object) {
  // DLPack's numbers of memory that a GPU reads.
  constexpr int cuda = 2, cuda_managed = 13;
  if (nb::hasattr(object, "__cuda_array_interface__")) return true;
  if (!nb::hasattr(object, "__dlpack_device__")) return false;
  const int type = nb::cast<int>(nb::int_(object.attr("__dlpack_device__")()[0]));
  return type == cuda || type == cuda_managed;
}

}  // namespace gsx::python
