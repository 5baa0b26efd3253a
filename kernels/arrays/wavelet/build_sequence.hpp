// A wavelet sequence, built on the device.
#pragma once

#include <cstdint>

#include "arrays/wavelet/wavelet_tree.hpp"
#include "kernels/arrays/wavelet/device_wavelet_sequence.hpp"

namespace gsx::cuda {

/// The sequence of an array in device memory: what WaveletSequence builds of it, byte for byte.
/// Waits. Cost: find_alphabet(); two passes over codes of 1, 2 or 4 bytes per level, of which two
/// copies are kept meanwhile; a select per hint. Throws what find_alphabet() throws.
template <class Value>
DeviceWaveletSequence build_sequence(const Value* d_values, std::uint64_t size, WaveletShape shape,
                                     DeviceStream stream);

}  // namespace gsx::cuda
