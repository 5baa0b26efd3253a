// Choosing a back end by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gsx {

/// The back end for `device`: "cpu"; "cuda" or "cuda:N", which throws DeviceError when that GPU
/// cannot be used; "auto", which takes a GPU when one can do the work and else the CPU, and logs
/// why. Throws UsageError for any other name.
std::unique_ptr<Backend> make_backend(const std::string& device);

std::unique_ptr<Backend> make_cpu_backend();

/// The GPU with this number, or DeviceError: built without CUDA, no driver, no such GPU. Defined in
/// kernels/ where CUDA is on, in backend/no_cuda.cpp where it is off.
std::unique_ptr<Backend> make_cuda_backend(int device);
/// One line for each GPU, for people; empty when there is none or no driver.
std::vector<std::string> describe_cuda_devices();

}  // namespace gsx
