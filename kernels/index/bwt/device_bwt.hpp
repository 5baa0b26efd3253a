// The bytes of a BWT in device memory as codes.
#pragma once

#include <cstdint>
#include <vector>

#include "index/bwt/bwt_bytes.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Its alphabet. Cost: two passes. Waits for the stream. Throws InputError and UsageError as
/// BwtAlphabet does, ResourceError, DeviceError.
BwtAlphabet find_alphabet(const BwtBytes& d_bwt, DeviceStream stream);

/// The rows of its separators, ascending. Cost: two passes. Waits. Throws ResourceError,
/// DeviceError.
std::vector<std::uint64_t> find_separators(const BwtBytes& d_bwt, DeviceStream stream);

/// One code per row, BwtAlphabet::hole for separators. Cost: one pass. Asynchronous. Throws
/// ResourceError, DeviceError.
DeviceBuffer<std::uint8_t> codes_of_bwt(const BwtBytes& d_bwt, const BwtAlphabet& alphabet,
                                        DeviceStream stream);

}  // namespace gsx::cuda
