// Bases packed as 2 bits each, whose complement is 3 minus the code.
#pragma once

#include <cstdint>

#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "base/packed.hpp"

namespace gsx {

/// The reverse complement of `count` bases. They are in the lowest bits of the word, 2 bits each,
/// the first base highest. Pre: 1 <= count <= 32.
GSX_HD std::uint64_t reverse_complement(std::uint64_t bases, std::uint32_t count) {
  std::uint64_t word = ~bases;
  word = (word >> 2 & 0x3333333333333333) | (word & 0x3333333333333333) << 2;
  word = (word >> 4 & 0x0F0F0F0F0F0F0F0F) | (word & 0x0F0F0F0F0F0F0F0F) << 4;
  word = reverse_bytes64(word);
  return word >> (64 - 2 * count);
}

/// Whether bases [begin, begin + length) are their own reverse complement. Pre: symbols.bits == 2,
/// no separator is among them. Cost: two loads per 28 bases, until they differ.
GSX_HD bool is_own_reverse_complement(const PackedView& symbols, std::uint64_t begin,
                                      std::uint64_t length) {
  if (length % 2 != 0) return false;
  constexpr std::uint32_t most = PackedView::max_bits / 2;
  for (std::uint64_t done = 0; done < length / 2;) {
    const std::uint64_t left = length / 2 - done;
    const std::uint32_t count = left < most ? static_cast<std::uint32_t>(left) : most;
    const std::uint64_t head = symbols.window(begin + done) >> (64 - 2 * count);
    const std::uint64_t tail = symbols.window(begin + length - done - count) >> (64 - 2 * count);
    if (head != reverse_complement(tail, count)) return false;
    done += count;
  }
  return true;
}

}  // namespace gsx
