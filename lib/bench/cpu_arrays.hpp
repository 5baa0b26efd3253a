// How fast the CPU finds nearest smaller values, range minima and LCP arrays.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/minima/range_minima.hpp"
#include "base/host_device.hpp"
#include "bench/device_bench.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The array that all devices are measured on: value i. Any thread may ask. Random numbers of 32
/// bits (Steele and others, Fast splittable pseudorandom number generators, 2014).
GSX_HD std::uint32_t measured_value(std::uint64_t i) {
  std::uint64_t word = (i + 1) * 0x9E3779B97F4A7C15u;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
  word = (word ^ word >> 27) * 0x94D049BB133111EBu;
  return static_cast<std::uint32_t>(word >> 32);
}

/// Range k of those measured, in an array of `size` values: its ends are uniform.
GSX_HD ValueRange measured_range(std::uint64_t k, std::uint64_t size) {
  const std::uint64_t a = measured_value(2 * k + 7) * size >> 32;
  const std::uint64_t b = measured_value(2 * k + 8) * size >> 32;
  return {a < b ? a : b, (a < b ? b : a) + 1};
}

/// Rates for an array of `size` values, of which a position takes 32 bits. Throws ResourceError.
std::vector<QueryRate> measure_cpu_arrays(std::uint64_t size, int threads, CpuPath path);

/// The rate of the LCP array, the suffix array given. Throws ResourceError.
std::vector<QueryRate> measure_cpu_lcp(const TextView& text, int threads);

}  // namespace gsx
