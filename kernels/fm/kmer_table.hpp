// The k-mer table of an FM-index, built on the device.
#pragma once

#include <cstdint>

#include "fm/kmer_table.hpp"
#include "kernels/runtime/device_buffer.hpp"
#include "kernels/runtime/transfer.hpp"

namespace gsx::cuda {

/// The bounds of the table for k, slack included, as KmerTable packs them. `d_fm` is an index on
/// the device (bwt, c_offset and sigma are used). Asynchronous. Pre: k <=
/// longest_kmer(d_fm.sigma). Throws ResourceError, DeviceError.
DeviceBuffer<std::uint8_t> kmer_bounds_async(const FmView& d_fm, std::uint32_t k,
                                             cudaStream_t stream);

/// The table of an index in host memory, of which bwt, c_offset and sigma are used and copied to
/// the device; it takes much less of the bus than the table takes of the ranks. Waits for the
/// stream. Byte for byte what KmerTable builds. Throws ResourceError, DeviceError.
KmerTable build_kmer_table(const FmView& fm, std::uint32_t k, Transfer& transfer,
                           cudaStream_t stream);

}  // namespace gsx::cuda
