#include "arrays.hpp"

#include <string>

#include "errors.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

std::string name_of_type(nb::handle object) {
  return nb::type_name(object.type()).c_str();
}

}  // namespace

HostBytes::HostBytes(nb::handle object, const char* what) {
  if (nb::isinstance<nb::str>(object)) {
    throw UsageError(std::string(what) +
                     " is a str: give bytes, as text.encode() makes them, so that positions are "
                     "those of bytes");
  }
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    if (!buffer_.take(object, PyBUF_ND)) {
      throw UsageError(std::string(what) +
                       " is not contiguous: copy it, as numpy.ascontiguousarray does");
    }
    if (buffer_->itemsize != 1) {
      throw UsageError(std::string(what) + " has elements of " + std::to_string(buffer_->itemsize) +
                       " bytes: give bytes, as uint8");
    }
    if (buffer_->ndim != 1) {
      throw UsageError(std::string(what) + " has " + std::to_string(buffer_->ndim) +
                       " dimensions: give one, as numpy.ravel makes it");
    }
    bytes_ = {static_cast<const std::uint8_t*>(buffer_->buf),
              static_cast<std::size_t>(buffer_->len)};
    return;
  }
  using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
  Bytes array;
  if (!nb::try_cast(object, array, false)) {
    throw ArgumentTypeError(std::string(what) + " is of type " + name_of_type(object) +
                            ": give bytes, or an array of uint8 with one dimension");
  }
  array_ = nb::borrow(object);
  bytes_ = {array.data(), array.size()};
}

}  // namespace gsx::python
