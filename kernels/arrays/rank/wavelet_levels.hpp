// A wavelet matrix, built on the device level by level.
#pragma once

#include <cstdint>
#include <span>

#include "arrays/rank/wavelet_matrix.hpp"
#include "kernels/arrays/rank/device_wavelet_matrix.hpp"
#include "kernels/arrays/rank/rank_blocks.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// A wavelet matrix in host memory, and the same one on the device, without hints of select.
struct BuiltWaveletMatrix {
  WaveletMatrix host;
  DeviceWaveletMatrix device;
};

/// The wavelet matrix of codes of `bits` bits, 0xFF for a hole: byte for byte what
/// WaveletMatrix(size, bits, ...) builds.
///
/// A level's rank blocks say where a stable sort by its digit puts each code, so the codes of the
/// next level are one scatter away, holes left out.
/// `holes` are the places of the holes, ascending.
/// Cost: two passes over the codes and one copy to the host per level; on the device 2.7 bits per
/// code and level and, with several levels, another byte per code. Waits. Throws ResourceError,
/// DeviceError.
BuiltWaveletMatrix build_wavelet_matrix(DeviceBuffer<std::uint8_t> codes, std::uint32_t bits,
                                        std::span<const std::uint64_t> holes, Transfer& transfer,
                                        DeviceStream stream);

/// The same of codes of two bits, whose only level has been packed.
BuiltWaveletMatrix finish_wavelet_matrix(RankBlocks level, std::uint64_t size,
                                         std::span<const std::uint64_t> holes, Transfer& transfer,
                                         DeviceStream stream);

}  // namespace gsx::cuda
