#include <cuda_runtime.h>

#include "device_calls/faulty_kernel.hpp"

namespace gsx::testing {
namespace {

__global__ void faulty_kernel(volatile int* d_nowhere) {
  *d_nowhere = 1;
}

}  // namespace

void run_faulty_kernel() {
  faulty_kernel<<<1, 1>>>(nullptr);
  (void)cudaDeviceSynchronize();
}

}  // namespace gsx::testing
