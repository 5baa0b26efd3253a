// Words of a prefix code that keeps the order of its symbols.
#pragma once

#include <cstdint>
#include <span>

#include "base/host_device.hpp"

namespace gsx {

/// A code word of at most 12 bits, left-aligned, above its length in the lowest 4 bits. No word is
/// 0, as each has at least one bit.
using AlphabeticWord = std::uint16_t;

inline constexpr std::uint32_t alphabetic_word_bits = 12;

GSX_HD constexpr std::uint32_t word_length(AlphabeticWord word) {
  return word & 15u;
}
/// The bits of a word, left-aligned in 64 bits.
GSX_HD constexpr std::uint64_t word_bits(AlphabeticWord word) {
  return static_cast<std::uint64_t>(word >> 4) << (64 - alphabetic_word_bits);
}

/// words[i] = the word of symbol i in an alphabetic prefix code (Gilbert and Moore, 1959; built
/// here by halving weights). Small weights are raised, so that rare symbols do not make words
/// longer than necessary. Example, weights 4 2 1 1: 0, 10, 110, 111. Pre: 2 to 2^10 weights, and as
/// many words. Cost: O(number of symbols times longest word).
void assign_words(std::span<const std::uint64_t> weights, std::span<AlphabeticWord> words);

}  // namespace gsx
