#include "integers.hpp"

#include <nanobind/stl/string.h>

#include <limits>
#include <string>

#include "gsx/error.hpp"

namespace nb = nanobind;

namespace gsx::python {
namespace {

/// Throws UsageError for a number that an int64 does not hold. Pre: the array is of uint64, and has
/// one dimension.
void require_signed(const nb::object& array, const char* what) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto numbers =
      nb::cast<nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::device::cpu>>(array, false);
  const auto view = numbers.view();
  for (std::size_t i = 0; i < view.shape(0); ++i) {
    const std::uint64_t number = view(i);
    if (number <= most) continue;
    throw UsageError(std::string(what) + " have at place " + std::to_string(i) + " the number " +
                     std::to_string(number) + ": they have to be less than 2^63");
  }
}

}  // namespace

Integers::Integers(nb::handle object, const char* what) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("asarray")(object);
  const auto kind = nb::cast<std::string>(array.attr("dtype").attr("kind"));
  const bool is_flat = nb::cast<std::size_t>(array.attr("ndim")) == 1;
  const bool is_nothing = is_flat && nb::len(array) == 0;  // NumPy makes an array of floats of []
  if (!is_flat || (kind != "i" && kind != "u" && !is_nothing)) {
    throw UsageError(std::string(what) + " have to be an array of integers with one dimension");
  }
  if (kind == "u" && nb::cast<int>(array.attr("itemsize")) == 8)
    require_signed(numpy.attr("asarray")(array, nb::arg("dtype") = "uint64"), what);
  array = numpy.attr("ascontiguousarray")(array, nb::arg("dtype") = "int64");
  if (!nb::try_cast(array, array_, false))
    throw UsageError(std::string(what) + " cannot be read as int64");
}

}  // namespace gsx::python
