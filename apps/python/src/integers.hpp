// Arrays of integers of Python, as int64.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>

namespace gsx::python {

/// Integers as int64, in contiguous memory of one dimension. An array of int64 is not copied. Keeps
/// it.
class Integers {
 public:
  /// Takes what numpy.asarray takes. Throws UsageError for elements that are no integers or have no
  /// room in int64, and for other than one dimension; `what` names them in the message.
  Integers(nanobind::handle object, const char* what);

  std::span<const std::int64_t> values() const { return {array_.data(), array_.size()}; }

 private:
  nanobind::ndarray<const std::int64_t, nanobind::ndim<1>, nanobind::c_contig,
                    nanobind::device::cpu>
      array_;
};

}  // namespace gsx::python
