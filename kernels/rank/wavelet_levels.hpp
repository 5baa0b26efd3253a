// A wavelet matrix, built on the device level by level.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/transfer.hpp"
#include "rank/wavelet_matrix.hpp"

namespace gsx::cuda {

/// The wavelet matrix of codes of `bits` bits, 0xFF for a hole: byte for byte what
/// WaveletMatrix(size, bits, ...) builds.
///
/// A level's rank blocks say where a stable sort by its digit puts each code, so the codes of the
/// next level are one scatter away, holes left out.
/// `holes` are the places of the holes, ascending.
/// Cost: two passes over the codes a level and its copy to the host; on the device a second buffer
/// of a byte a code and 2.7 bits a code for one level. Waits. Throws ResourceError, DeviceError.
WaveletMatrix build_wavelet_matrix(DeviceBuffer<std::uint8_t> codes, std::uint32_t bits,
                                   std::span<const std::uint64_t> holes, Transfer& transfer,
                                   cudaStream_t stream);

}  // namespace gsx::cuda
