// The sets of short sequences that all devices are measured on.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "bench/cpu_arrays.hpp"
#include "search/sets/prefix_view.hpp"

namespace gsx {

/// Sequence i of a set, a 16-mer as a number; no two are equal. The last steps of MurmurHash3
/// (Appleby), each of which can be undone.
GSX_HD std::uint32_t measured_16_mer(std::uint64_t i) {
  auto word = static_cast<std::uint32_t>(i);
  word = (word ^ word >> 16) * 0x85EBCA6Bu;
  word = (word ^ word >> 13) * 0xC2B2AE35u;
  return word ^ word >> 16;
}

/// Most entries of the prefix set that is measured: of 10 to 16 bases, as barcodes are.
inline constexpr std::uint64_t measured_entries = 1'000'000;
GSX_HD std::uint32_t measured_entry_length(std::uint64_t i) {
  return 10 + static_cast<std::uint32_t>(i % 7);
}

/// The first 32 bases of query k: an entry of the set, then random ones.
GSX_HD std::uint64_t measured_read(std::uint64_t k, const PrefixEntry* entries,
                                   std::uint64_t size) {
  const PrefixEntry entry = entries[measured_value(k) * size >> 32];
  const std::uint64_t bases =
      std::uint64_t{measured_value(2 * k + 1)} << 32 | measured_value(2 * k + 2);
  return entry.head | bases >> 2 * entry.length;
}

}  // namespace gsx
