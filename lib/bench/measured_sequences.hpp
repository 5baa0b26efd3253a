// The wavelet sequences that all devices are measured on.
#pragma once

#include <cstdint>

#include "arrays/wavelet/wavelet_tree.hpp"
#include "base/host_device.hpp"
#include "bench/cpu_arrays.hpp"

namespace gsx {

struct MeasuredSequence {
  const char* name;
  std::uint32_t sigma;  ///< values are below
  bool skewed;          ///< whether small values are more frequent
  WaveletShape shape;
};
inline constexpr MeasuredSequence measured_sequences[] = {
    {"sigma 25", 25, false, WaveletShape::balanced},
    {"sigma 255", 255, false, WaveletShape::balanced},
    {"sigma 65536", 65'536, false, WaveletShape::balanced},
    {"sigma 65536, skewed", 65'536, true, WaveletShape::balanced},
    {"sigma 65536, skewed, Huffman", 65'536, true, WaveletShape::huffman}};

/// Element i of a sequence. Skewed ones are the fourth power of uniform numbers: a value below
/// x sigma has the chance of the fourth root of x.
GSX_HD std::uint32_t measured_element(std::uint64_t i, std::uint32_t sigma, bool skewed) {
  std::uint64_t share = measured_value(i);  // of 2^32
  if (skewed) {
    share = share * share >> 32;
    share = share * share >> 32;
  }
  return static_cast<std::uint32_t>(share * sigma >> 32);
}

/// Query k to a sequence of `size` elements, of fewer than 2^32: an element that is asked for, and
/// a position.
struct MeasuredQuery {
  std::uint64_t element, position;
};
GSX_HD MeasuredQuery measured_query(std::uint64_t k, std::uint64_t size) {
  return {measured_value(2 * k + 11) * size >> 32, measured_value(2 * k + 12) * size >> 32};
}

}  // namespace gsx
