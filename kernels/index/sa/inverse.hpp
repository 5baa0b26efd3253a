// The inverse of a suffix array on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace gsx::cuda {

/// d_inverse[d_rows[i]] = i. Pre: d_rows is a permutation of 0 .. size - 1. Asynchronous. Cost:
/// `size` scattered writes. Throws DeviceError.
template <class Pos>
void invert_async(const Pos* d_rows, std::uint64_t size, Pos* d_inverse, cudaStream_t stream);

}  // namespace gsx::cuda
