// How far the suffixes of tied rows are known to agree.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "kernels/text/leading_bits.hpp"

namespace gsx::cuda {

/// Symbols on which the suffixes of a group agree, by a slot of the group: `depth`, and, in a batch
/// whose keys carry a number of symbols, what the group's key carries beyond the least of them.
struct KnownDepth {
  std::uint64_t depth = 0;
  const std::uint64_t* d_keys = nullptr;  ///< of the batch's rows; null where none is carried
  const std::uint32_t* d_rows = nullptr;  ///< of the slots
  std::uint32_t least = 0;

  GSX_HD std::uint64_t at(std::uint64_t slot) const {
    if (d_keys == nullptr) return depth;
    return depth + carried_symbols(d_keys[d_rows[slot]]) - least;
  }
};

}  // namespace gsx::cuda
