// Arrays in the memory of a GPU. Defined in device/ where CUDA is on, in no_device.cpp where it is
// off.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "index_object.hpp"

namespace gsx::python {

/// Whether an object is an array in the memory of an NVIDIA GPU.
bool is_device_array(nanobind::handle object);

// As the functions of host memory, on the stream whose number `stream` is, or the default stream
// for None. All wait for the stream. Without CUDA, all throw DeviceError.
nanobind::object device_suffix_array(const nanobind::object& bytes, const nanobind::object& stream);
nanobind::object device_inverse_suffix_array(const nanobind::object& rows,
                                             const nanobind::object& stream);
nanobind::object device_bwt(const nanobind::object& bytes, const nanobind::object& stream);
nanobind::object device_inverse_bwt(const nanobind::object& bwt, std::uint64_t primary,
                                    const nanobind::object& stream);

/// Adds DeviceArray, DeviceIndex and to_device() to the module.
void register_device(nanobind::module_& module);

}  // namespace gsx::python
