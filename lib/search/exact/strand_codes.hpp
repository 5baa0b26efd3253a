// One strand of a pattern as codes of one byte each, and its comparison with the packed text.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/packed.hpp"

namespace gsx {

/// The codes of a pattern as given, or of its reverse complement.
struct StrandCodes {
  using Offset = std::uint64_t;

  const std::uint8_t* codes;  ///< of the pattern as given
  std::uint64_t length;
  bool reverse;

  /// Code i of the strand. A code outside the alphabet stays outside. Pre: i < length.
  GSX_HD std::uint8_t operator[](std::uint64_t i) const {
    return reverse ? codes[length - 1 - i] ^ 3 : codes[i];
  }
  /// Codes [0, count) of the strand. Pre: count <= length.
  GSX_HD StrandCodes prefix(std::uint64_t count) const {
    return {reverse ? codes + (length - count) : codes, count, reverse};
  }
  /// The codes from code i on. Pre: i <= length.
  GSX_HD StrandCodes from(std::uint64_t i) const {
    return {reverse ? codes : codes + i, length - i, reverse};
  }
  /// Codes [i, i + 8), one per byte, the first in the highest. Pre: i + 8 <= length.
  GSX_HD std::uint64_t eight(std::uint64_t i) const {
    if (!reverse) return load_big_endian64(codes + i);
    return reverse_bytes64(load_big_endian64(codes + (length - 8 - i))) ^ 0x0303030303030303;
  }
};

/// Eight codes of one byte each, of which the lowest two bits count, as 16 bits.
GSX_HD std::uint64_t pack_eight(std::uint64_t codes) {
  codes = (codes | codes >> 6) & 0x000F000F000F000F;
  codes = (codes | codes >> 12) & 0x000000FF000000FF;
  return (codes | codes >> 24) & 0xFFFF;
}

/// Codes in the order of backward search, the next in the lowest bits.
struct CodeRun {
  std::uint64_t codes;
  std::uint32_t count;
};

/// Whether a strand is what the text holds at position p, with separators, which are stored as code
/// 0, taken for that code. Pre: p + length <= text.size. Cost: one load of each per 24 bases, or
/// per 57 bits of text.
GSX_HD bool is_at(const PackedView& text, std::uint64_t p, const StrandCodes& strand) {
  constexpr std::uint64_t foreign = 0xFCFCFCFCFCFCFCFC;
  std::uint64_t i = 0;
  if (text.bits == 2 && strand.length >= 8) {
    for (; i + 24 <= strand.length; i += 24) {
      const std::uint64_t a = strand.eight(i), b = strand.eight(i + 8), c = strand.eight(i + 16);
      const std::uint64_t codes = pack_eight(a) << 32 | pack_eight(b) << 16 | pack_eight(c);
      if (text.window(p + i) >> 16 != codes || ((a | b | c) & foreign) != 0) return false;
    }
    while (i < strand.length) {
      if (i + 8 > strand.length) i = strand.length - 8;  // again some that are equal
      const std::uint64_t codes = strand.eight(i);
      if (text.window(p + i) >> 48 != pack_eight(codes) || (codes & foreign) != 0) return false;
      i += 8;
    }
    return true;
  }
  const std::uint64_t most = PackedView::max_bits / text.bits;
  while (i < strand.length) {
    const std::uint64_t some = strand.length - i < most ? strand.length - i : most;
    std::uint64_t window = text.window(p + i);
    for (const std::uint64_t end = i + some; i < end; ++i) {
      if (window >> (64 - text.bits) != strand[i]) return false;
      window <<= text.bits;
    }
  }
  return true;
}

}  // namespace gsx
