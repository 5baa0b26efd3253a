// The table of TableSteps, made on the device.
#pragma once

#include <cstdint>

#include "index/bwt/bwt_bytes.hpp"
#include "index/bwt/lf_steps.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

template <class Pos>
struct DeviceLfTable {
  DeviceBuffer<Pos> next;
  DeviceBuffer<Pos> starts;
  Pos segments;
  std::uint32_t half;

  TableSteps<Pos> steps() const { return {next.data(), starts.data(), segments, half}; }
};

/// The table of the codes of a BWT. Cost: two passes over the codes; 1/16 byte per code and symbol
/// of the alphabet meanwhile. Asynchronous. Throws ResourceError, DeviceError.
template <class Pos>
DeviceLfTable<Pos> make_lf_table_async(const DeviceBuffer<std::uint8_t>& codes,
                                       const BwtAlphabet& alphabet, DeviceStream stream);

}  // namespace gsx::cuda
