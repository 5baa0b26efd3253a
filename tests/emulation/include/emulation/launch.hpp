// Launching kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "cuda_runtime_api.h"

namespace gsx::emulation {

struct Launch {
  const char* kernel = "";
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
};

/// What one thread of a kernel does, with its parameters.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run_thread() const = 0;
};

/// Says how the kernel that is called next by this host thread is to run.
void configure(const char* kernel, std::uint64_t blocks, std::uint64_t threads,
               std::size_t shared_bytes = 0, cudaStream_t stream = nullptr);

/// Queues the kernel, or sets an error.
void launch(std::unique_ptr<const Kernel> kernel);

/// Called by a kernel's function: `body` is all that it does.
template <class Body>
void start(Body body) {
  struct Closure final : Kernel {
    explicit Closure(Body own) : body(std::move(own)) {}
    void run_thread() const override {
      Body own = body;  // a thread may change its parameters
      own();
    }
    Body body;
  };
  static_assert(sizeof(Body) <= 4096, "the parameters of a kernel have at most 4 KB");
  launch(std::make_unique<const Closure>(std::move(body)));
}

}  // namespace gsx::emulation
