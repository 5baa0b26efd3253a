// The guides of sites as numbers, and how a table of sites cuts them in two.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/packed.hpp"

namespace gsx {

/// The reverse complement of a window of `bases` bases, the last in the lowest bits.
GSX_HD constexpr std::uint64_t reverse_complement_of(std::uint64_t window, std::uint32_t bases) {
  std::uint64_t other = ~window;
  other = (other >> 2 & 0x3333333333333333) | (other & 0x3333333333333333) << 2;
  other = (other >> 4 & 0x0F0F0F0F0F0F0F0F) | (other & 0x0F0F0F0F0F0F0F0F) << 4;
  other = (other >> 8 & 0x00FF00FF00FF00FF) | (other & 0x00FF00FF00FF00FF) << 8;
  other = (other >> 16 & 0x0000FFFF0000FFFF) | (other & 0x0000FFFF0000FFFF) << 16;
  return (other >> 32 | other << 32) >> (64 - 2 * bases);
}

/// The key of the guide (guide_key()) whose `bases` bases begin at `position`, on this strand.
GSX_HD std::uint64_t site_key(const PackedView& symbols, std::uint64_t position, bool reverse,
                              std::uint32_t bases) {
  const std::uint64_t window = symbols.window(position) >> (64 - 2 * bases);
  return reverse ? reverse_complement_of(window, bases) : window;
}

/// How half a table cuts the keys of guides: the bases at one end are the number of a bucket, the
/// others the rest.
struct SiteSplit {
  std::uint32_t guide = 0;  ///< bases
  std::uint32_t half = 0;   ///< bases of the bucket
  bool last = false;        ///< whether these are the last ones

  GSX_HD std::uint32_t bucket(std::uint64_t key) const {
    return static_cast<std::uint32_t>(last ? key & low_bits(half) : key >> 2 * (guide - half));
  }
  GSX_HD std::uint32_t rest(std::uint64_t key) const {
    return static_cast<std::uint32_t>(last ? key >> 2 * half : key & low_bits(guide - half));
  }
  /// The bits of the first `half` bases in the rest. Pre: last.
  GSX_HD std::uint32_t bits_of_first() const {
    return static_cast<std::uint32_t>(low_bits(half) << 2 * (guide - 2 * half));
  }

 private:
  GSX_HD static std::uint64_t low_bits(std::uint32_t bases) {
    return (std::uint64_t{1} << 2 * bases) - 1;
  }
};

/// The bases that differ: the lower bit of each.
GSX_HD std::uint32_t differing_bases(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t x = a ^ b;
  return (x | x >> 1) & 0x55555555;
}

}  // namespace gsx
