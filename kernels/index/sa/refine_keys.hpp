// The keys by which tied suffixes are told apart.
#pragma once

#include <cstdint>

#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "index/sa/suffix_key.hpp"
#include "kernels/index/sa/group_sort.hpp"

namespace gsx::cuda {

/// Symbols behind the first `depth` of a suffix and their length code, right-aligned in width()
/// bits below one that says whether the suffix reaches that far; what is above may hold a group's
/// number. A suffix that ended earlier is keyed by its length: of those with equal leading bits
/// the shorter one is smaller, and all are smaller than one that goes on.
struct RefineKeys {
  SuffixKeys keys;
  std::uint32_t symbol_bits = 0;
  std::uint32_t length_bits = 0;

  /// The most symbols that fit `bits` bits. Pre: at least one does.
  RefineKeys(const TextView& text, std::uint32_t bits) : keys(text) {
    const std::uint32_t widest = keys.symbols;
    keys.symbols = 1;
    for (std::uint32_t more = 2; more <= widest; ++more) {
      if (1 + more * text.symbols.bits + bits_for(more) > bits) break;
      keys.symbols = more;
    }
    symbol_bits = keys.symbols * text.symbols.bits;
    length_bits = bits_for(keys.symbols);
  }
  std::uint32_t width() const { return 1 + symbol_bits + length_bits; }
  GSX_HD EndedKeys ended() const { return {(std::uint64_t{1} << length_bits) - 1, keys.symbols}; }

  /// Key of the suffix at p. Pre: p < length of the text; depth is below 64 or p's suffix is
  /// longer than depth.
  GSX_HD std::uint64_t at(std::uint64_t p, std::uint64_t depth) const {
    const std::uint64_t separator = keys.text.segments.separator_from(p);
    if (separator - p < depth) return (separator - p) << length_bits;
    const std::uint64_t key = keys.at(p + depth, separator);
    return std::uint64_t{1} << (symbol_bits + length_bits) |
           key >> (64 - symbol_bits) << length_bits | (key & SuffixKeys::length_mask);
  }
};

}  // namespace gsx::cuda
