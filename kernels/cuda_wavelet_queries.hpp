// Batched queries to a wavelet tree, from host memory through the device and back.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "kernels/transfer.hpp"

namespace gsx::cuda {

/// Places the wavelet tree on a device. A batch is cut into pieces that several threads carry over
/// the bus, each through pinned memory and a stream of its own, so that copies both ways overlap
/// with the queries (paper: GPU wavelet tree, section 5.2.1).
/// Throws ResourceError when it does not fit, DeviceError.
std::unique_ptr<WaveletQueries> make_wavelet_queries(const WaveletView& wavelet, int device,
                                                     int threads, Transfer& transfer);

}  // namespace gsx::cuda
