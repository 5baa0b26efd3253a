// What gsx names of the CUDA driver, on a machine without a GPU. For tests only.
#pragma once

enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_CONTEXT = 201,
};

namespace gsx::emulation {
struct Context;
}

using CUdevice = int;
using CUcontext = gsx::emulation::Context*;
