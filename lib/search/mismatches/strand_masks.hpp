// One strand of a pattern with sets, packed as a text is, and its comparison with the text.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "search/mismatches/base_set.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// One strand of a pattern in words of 32 positions; position i has bits 63 - 2i and 62 - 2i of its
/// word. If each position matches one base, a word holds their codes. Otherwise it is five words:
/// masks in the low bits of the pairs, of the positions that match A, that match only one of A and
/// C, that match G, that match only one of G and T, and where a mismatch rules the place out.
/// Positions behind the last match everything.
struct StrandMasks {
  static constexpr std::uint32_t positions = 32;  ///< per word
  static constexpr std::uint32_t set_words = 5;   ///< per word of a pattern with sets
  static constexpr std::uint64_t low_bits = 0x5555555555555555;

  const std::uint64_t* words;
  std::uint64_t length;
  bool has_sets;

  /// Words of a strand.
  GSX_HD static constexpr std::uint64_t words_for(std::uint64_t length, bool has_sets) {
    return (length + positions - 1) / positions * (has_sets ? set_words : 1);
  }

  /// 32 symbols of a packed text from position p on. Pre: p < text.size, text.bits is 2.
  GSX_HD static std::uint64_t symbols_at(const PackedView& text, std::uint64_t p) {
    const std::uint8_t* from = text.bytes + (p >> 2);
    const std::uint32_t shift = (p & 3) * 2;
    return load_big_endian64(from) << shift | std::uint64_t{from[8]} >> (8 - shift);
  }
  /// The mismatches of positions [32 word, 32 word + 32) with the text at p, in the low bits of the
  /// pairs. Pre: 32 word < length, p + length <= text.size.
  GSX_HD std::uint64_t mismatches_of(const PackedView& text, std::uint64_t p,
                                     std::uint64_t word) const {
    const std::uint64_t symbols = symbols_at(text, p + word * positions);
    if (!has_sets) {
      const std::uint64_t differ = symbols ^ words[word];
      const std::uint64_t left = length - word * positions;
      const std::uint64_t counted = left < positions ? ~(~std::uint64_t{0} >> (2 * left)) : ~0ULL;
      return (differ | differ >> 1) & low_bits & counted;
    }
    const std::uint64_t* masks = words + word * set_words;
    const std::uint64_t a_or_c = masks[0] ^ (masks[1] & symbols);
    const std::uint64_t g_or_t = masks[2] ^ (masks[3] & symbols);
    return ~(a_or_c ^ ((a_or_c ^ g_or_t) & symbols >> 1)) & low_bits;
  }
  /// A mask of the mismatches at positions [begin, begin + 32) of the pattern, as far as it goes.
  /// Pre: begin < length, p + length <= text.size.
  GSX_HD std::uint64_t mismatches_from(const PackedView& text, std::uint64_t p,
                                       std::uint64_t begin) const {
    const std::uint64_t word = begin / positions;
    const auto shift = static_cast<std::uint32_t>(begin % positions * 2);
    std::uint64_t found = mismatches_of(text, p, word) << shift;
    if (shift != 0 && (word + 1) * positions < length)
      found |= mismatches_of(text, p, word + 1) >> (64 - shift);
    return found;
  }
  /// The number of mismatches with the text at p if it is at most `most`, and none of them is where
  /// it must match; otherwise some number above `most`. Separators are taken for code 0. Pre: p +
  /// length <= text.size.
  GSX_HD std::uint32_t mismatches_at(const PackedView& text, std::uint64_t p,
                                     std::uint32_t most) const {
    std::uint32_t found = 0;
    for (std::uint64_t word = 0; word * positions < length && found <= most; ++word) {
      const std::uint64_t some = mismatches_of(text, p, word);
      if (has_sets && (some & words[word * set_words + 4]) != 0) return most + 1;
      found += popcount64(some);
    }
    return found;
  }
  /// Whether positions [begin, end) match the text, if the pattern is at p. Pre: begin < end <=
  /// length, p + length <= text.size.
  GSX_HD bool is_exact(const PackedView& text, std::uint64_t p, std::uint64_t begin,
                       std::uint64_t end) const {
    for (std::uint64_t word = begin / positions; word * positions < end; ++word) {
      std::uint64_t some = mismatches_of(text, p, word);
      const std::uint64_t first = word * positions;
      if (begin > first) some &= ~std::uint64_t{0} >> (2 * (begin - first));
      if (end < first + positions) some &= ~(~std::uint64_t{0} >> (2 * (end - first)));
      if (some != 0) return false;
    }
    return true;
  }
};

}  // namespace gsx
