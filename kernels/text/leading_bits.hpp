// The first bits of suffixes, and how a batch of suffixes is keyed by them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx::cuda {

/// Suffixes as numbers: their first symbols left-aligned in 64 bits, zeros behind the segment's
/// end. Numbers compare as suffixes do, except that a suffix that ends early equals one that goes
/// on with the smallest symbol; refine_by_text tells those apart.
struct LeadingBits {
  TextView text;

  /// Valid bits: what one load is sure to give.
  GSX_HD std::uint32_t valid() const { return text.symbols.bits % 2 == 0 ? 58 : 57; }

  /// Of the suffix at p whose segment ends at `separator`. Pre: p < separator.
  GSX_HD std::uint64_t at(std::uint64_t p, std::uint64_t separator) const {
    const std::uint64_t left = (separator - p) * text.symbols.bits;
    const std::uint64_t window = text.symbols.window(p);
    return left >= 64 ? window : window >> (64 - left) << (64 - left);
  }
};

/// Lowest bits of a first key, which are not sorted by: a suffix carries the code in the slot
/// before it there, 0 where that is a separator's or there is none. Keys of 32 bits are for
/// alphabets of up to 2 bits. Those of 64 also carry, above the code, on how many symbols suffixes
/// with this key agree, unless they end before, or most_carried_symbols; it is the same for all
/// with this key.
template <class Key>
inline constexpr std::uint32_t carried_bits_of = sizeof(Key) == 4 ? 2 : 13;

/// Fewer than ranks need, so that suffixes that end are told apart before.
inline constexpr std::uint32_t most_carried_symbols = 26;

template <class Key>
GSX_HD std::uint32_t carry(std::uint32_t code, std::uint32_t symbols) {
  if (sizeof(Key) == 4) return code;
  return code | (symbols < most_carried_symbols ? symbols : most_carried_symbols) << 8;
}
template <class Key>
GSX_HD std::uint8_t carried_code(Key key) {
  return static_cast<std::uint8_t>(key & (sizeof(Key) == 4 ? 0x3 : 0xFF));
}
/// 0 where keys do not carry it.
template <class Key>
GSX_HD std::uint32_t carried_symbols(Key key) {
  return sizeof(Key) == 4 ? 0 : static_cast<std::uint32_t>(key) >> 8 & 0x1F;
}

/// Whether keys of a sorted batch are equal but for what they carry.
template <class Key>
GSX_HD bool same_key(Key a, Key b) {
  return (a ^ b) >> carried_bits_of<Key> == 0;
}

/// Keys of a batch, which holds the suffixes whose first prefix_bits bits are in a range: the
/// first `bits` bits less those of the range's begin, above what is carried. They order as many
/// bits as fit, whatever the batch's place.
struct BatchKeys {
  std::uint64_t begin = 0;  ///< smallest value of the first `bits` bits
  std::uint64_t end = 0;    ///< one above the largest
  std::uint32_t bits = 0;

  GSX_HD bool holds(std::uint64_t leading) const {
    const std::uint64_t value = leading >> (64 - bits);
    return value >= begin && value < end;
  }
  template <class Key>
  GSX_HD Key key(std::uint64_t leading, std::uint32_t carried) const {
    const std::uint64_t value = (leading >> (64 - bits)) - begin;
    return static_cast<Key>(value << carried_bits_of<Key>) | carried;
  }
};
static_assert(std::is_trivially_copyable_v<BatchKeys>);

}  // namespace gsx::cuda
