// Choosing a back end by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gsx {

/// The back end for `device`: "cpu"; "cuda" or "cuda:N", which throws DeviceError when that GPU
/// cannot be used; "cuda:N,M,..." or "cuda:all", several that share searches; "auto", which takes a
/// GPU when one can do the work and else the CPU, and logs why. Throws UsageError for any other
/// name. A GPU is used up to `gpu_memory` bytes at a time; with less than it could use, work is
/// split.
std::unique_ptr<Backend> make_backend(const std::string& device,
                                      std::uint64_t gpu_memory = unlimited);

std::unique_ptr<Backend> make_cpu_backend();

/// The GPU with this number, or DeviceError: built without CUDA, no driver, no such GPU. Defined in
/// kernels/ where CUDA is on, in backend/no_cuda.cpp where it is off.
std::unique_ptr<Backend> make_cuda_backend(int device, std::uint64_t memory_limit = unlimited);
/// One line for each GPU, for people; empty when there is none or no driver.
std::vector<std::string> describe_cuda_devices();

}  // namespace gsx
