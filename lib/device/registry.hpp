// Choosing a back end by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/cpu_path.hpp"
#include "device/backend.hpp"
#include "device/verifier.hpp"

namespace gsx {

/// The devices that a name stands for.
struct DeviceChoice {
  std::vector<int> gpus;  ///< by number; none: the CPU
  bool or_cpu = false;    ///< whether the CPU may do what the GPU cannot
};

/// Throws UsageError for a name that make_backend does not know.
DeviceChoice devices_named(const std::string& device);

/// The back end for `device`: "cpu"; "cuda" or "cuda:N", which throws DeviceError when that GPU
/// cannot be used; "cuda:N,M,..." or "cuda:all", several that share searches and builds; "auto",
/// which takes a GPU when one can do the work and else the CPU, and logs why. Throws UsageError for
/// any other name. A GPU is used up to `gpu_memory` bytes at a time; with less than it could use,
/// work is split. The CPU searches with the instructions of `path`.
std::unique_ptr<Backend> make_backend(const std::string& device,
                                      std::uint64_t gpu_memory = unlimited,
                                      CpuPath path = best_cpu_path());

/// The verifier for the same device; with several GPUs, for the first.
std::unique_ptr<Verifier> make_verifier(const std::string& device,
                                        std::uint64_t gpu_memory = unlimited);

/// Pre: this CPU has the instructions of `path`.
std::unique_ptr<Backend> make_cpu_backend(CpuPath path = best_cpu_path());
std::unique_ptr<Verifier> make_cpu_verifier();

/// The GPU with this number, or DeviceError: built without CUDA, no driver, no such GPU. Defined in
/// kernels/ where CUDA is on, in device/no_cuda.cpp where it is off.
std::unique_ptr<Backend> make_cuda_backend(int device, std::uint64_t memory_limit = unlimited);
/// Several GPUs, at least one: they share searches, and all help the first one to build.
std::unique_ptr<Backend> make_cuda_backend(std::span<const int> devices,
                                           std::uint64_t memory_limit = unlimited);
std::unique_ptr<Verifier> make_cuda_verifier(int device, std::uint64_t memory_limit = unlimited);
/// One readable line per GPU; empty when there is no GPU or no driver.
std::vector<std::string> describe_cuda_devices();

/// A GPU as found when asked for.
struct GpuFacts {
  std::string name;
  std::string compute_capability;
  std::uint64_t memory_total = 0;
  std::uint64_t memory_free = 0;
  std::string problem;  ///< why it cannot be used; empty when it can
};

/// The CUDA support of this program and this machine.
struct CudaFacts {
  std::string runtime;         ///< version that the program holds; empty: built without CUDA
  std::string architectures;   ///< that the program holds code for, as CMake names them
  std::string driver_serves;   ///< CUDA version that the driver serves; empty: no driver
  std::string problem;         ///< why there is no GPU at all; empty when there is one
  std::vector<GpuFacts> gpus;  ///< those visible, by number
};

/// Never throws because of what it finds. Slow: it makes a context on every GPU.
CudaFacts cuda_facts();

}  // namespace gsx
