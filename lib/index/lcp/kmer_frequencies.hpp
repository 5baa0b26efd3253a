// How often the k-mer at each position of a text occurs, as a device counts it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"

namespace gsx {

/// A code per position. Codes below 2^15 stand for themselves, code 2^15 + i for large[i]; 0 where
/// no k-mer begins. The numbers in `large` differ, and are at least 2^15.
struct KmerFrequencies {
  static constexpr std::uint32_t first_large = 1u << 15;

  Buffer<std::uint16_t> codes;
  std::vector<std::uint64_t> large;
};

/// K-mers that differ from another in few symbols, to be counted.
struct NearKmers {
  std::uint64_t k = 0;
  int mismatches = 0;     ///< most symbols in which they differ, at least 1
  std::uint64_t cap = 0;  ///< larger frequencies count as this

  /// The largest cap of counts of 16 bits.
  static constexpr std::uint64_t most_cap = 0xFFFF;
};

}  // namespace gsx
