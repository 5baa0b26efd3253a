// Sort keys squeezed to the bits that a radix sort has to look at.
#pragma once

#include <cstdint>

#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "sa/suffix_key.hpp"

namespace gsx::cuda {

/// A key of `symbols` symbols and their length code, right-aligned in width() bits; what is above
/// may hold a group's number.
struct KeyLayout {
  SuffixKeys keys;
  std::uint32_t symbol_bits = 0;
  std::uint32_t length_bits = 0;

  /// The layout with the most symbols that fits `bits` bits. Pre: at least one does.
  KeyLayout(const TextView& text, std::uint32_t bits) : keys(text) {
    const std::uint32_t widest = keys.symbols;
    keys.symbols = 1;
    set_bits();
    for (std::uint32_t more = 2; more <= widest; ++more) {
      if (more * text.symbols.bits + bits_for(more) > bits) break;
      keys.symbols = more;
      set_bits();
    }
  }
  std::uint32_t width() const { return symbol_bits + length_bits; }

  /// Key of the suffix at p, 0 for a separator. Pre: p < length of the text.
  GSX_HD std::uint64_t at(std::uint64_t p) const {
    const std::uint64_t key = keys.at(p);
    return key >> (64 - symbol_bits) << length_bits | (key & SuffixKeys::length_mask);
  }
  /// Whether two equal keys are two whole suffixes, in order by their positions.
  GSX_HD bool ended(std::uint64_t key) const {
    return (key & ((std::uint64_t{1} << length_bits) - 1)) < keys.symbols;
  }

 private:
  void set_bits() {
    symbol_bits = keys.symbols * keys.text.symbols.bits;
    length_bits = bits_for(keys.symbols);
  }
};

}  // namespace gsx::cuda
