// The k-mer table of an FM-index, built on the device.
#pragma once

#include <cstdint>

#include "index/fm/kmer_table.hpp"
#include "kernels/base/device_buffer.hpp"
#include "kernels/base/transfer.hpp"

namespace gsx::cuda {

/// The bounds of the table for k, slack included, as KmerTable packs them. `d_fm` is an index on
/// the device (bwt, c_offset and sigma are used). Asynchronous. Pre: k <=
/// longest_kmer(d_fm.sigma). Throws ResourceError, DeviceError.
DeviceBuffer<std::uint8_t> kmer_bounds_async(const FmView& d_fm, std::uint32_t k,
                                             DeviceStream stream);

/// The same table in host memory, byte for byte what KmerTable builds. Waits for the stream. Throws
/// ResourceError, DeviceError.
KmerTable build_kmer_table(const FmView& d_fm, std::uint32_t k, Transfer& transfer,
                           DeviceStream stream);

}  // namespace gsx::cuda
