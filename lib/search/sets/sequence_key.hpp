// Short sequences as numbers, whose order is that of the alphabet.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/export.hpp"
#include "base/host_device.hpp"

namespace gsx {

/// How the sequences of a set become keys: two bits per symbol without N, else three. The codes are
/// in the order of the alphabet: A C G T, or A C G N T. A word holds 32 or 21 symbols; the last one
/// ends at the lowest bit of the last word, and words are compared from the first one on.
struct SequenceShape {
  std::uint32_t length = 0;  ///< symbols of a sequence, at most most_length
  std::uint32_t bits = 2;    ///< per symbol

  static constexpr std::uint32_t most_length = 64;

  GSX_HD std::uint32_t symbols_per_word() const { return bits == 2 ? 32 : 21; }
  GSX_HD std::uint32_t words() const {
    return (length + symbols_per_word() - 1) / symbols_per_word();
  }
  /// The word, and the lowest bit in it, of symbol i.
  GSX_HD std::uint32_t word_of(std::uint32_t i) const {
    return (words() * symbols_per_word() - length + i) / symbols_per_word();
  }
  GSX_HD std::uint32_t shift_of(std::uint32_t i) const {
    return (length - 1 - i) % symbols_per_word() * bits;
  }
  friend bool operator==(const SequenceShape&, const SequenceShape&) = default;
};

/// The most words of a key: 64 symbols of three bits.
inline constexpr unsigned most_key_words = 4;

/// A sequence, or bits of the symbols of sequences.
template <unsigned Words>
struct SequenceKey {
  std::uint64_t words[Words];

  friend GSX_HD bool operator==(const SequenceKey& a, const SequenceKey& b) {
    for (unsigned w = 0; w < Words; ++w)
      if (a.words[w] != b.words[w]) return false;
    return true;
  }
  friend GSX_HD bool operator<(const SequenceKey& a, const SequenceKey& b) {
    for (unsigned w = 0; w + 1 < Words; ++w)
      if (a.words[w] != b.words[w]) return a.words[w] < b.words[w];
    return a.words[Words - 1] < b.words[Words - 1];
  }
  friend GSX_HD SequenceKey operator&(SequenceKey a, const SequenceKey& b) {
    for (unsigned w = 0; w < Words; ++w)
      a.words[w] &= b.words[w];
    return a;
  }
  friend GSX_HD SequenceKey operator|(SequenceKey a, const SequenceKey& b) {
    for (unsigned w = 0; w < Words; ++w)
      a.words[w] |= b.words[w];
    return a;
  }
  GSX_HD bool any() const {
    std::uint64_t all = 0;
    for (unsigned w = 0; w < Words; ++w)
      all |= words[w];
    return all != 0;
  }
  /// Number of set bits.
  GSX_HD unsigned count() const {
    unsigned bits = 0;
    for (unsigned w = 0; w < Words; ++w)
      bits += popcount64(words[w]);
    return bits;
  }
  /// Whether more than `most` bits are set. Pre: most > 0.
  GSX_HD bool has_more_than(unsigned most) const {
    if constexpr (Words == 1) {
      std::uint64_t rest = words[0] & (words[0] - 1);  // without the lowest bit
      if (most == 1) return rest != 0;
      if (most == 2) return (rest & (rest - 1)) != 0;
    }
    return count() > most;
  }
};
static_assert(std::is_trivially_copyable_v<SequenceKey<2>>);

/// The lowest bit of each symbol in a word.
GSX_HD std::uint64_t lowest_symbol_bits(std::uint32_t bits) {
  return bits == 2 ? 0x5555555555555555 : 0x1249249249249249;
}

/// The symbols in which two keys differ: the lowest bit of each.
template <unsigned Words>
GSX_HD SequenceKey<Words> differing_symbols(const SequenceKey<Words>& a,
                                            const SequenceKey<Words>& b, std::uint32_t bits) {
  SequenceKey<Words> differ;
  const std::uint64_t low = lowest_symbol_bits(bits);
  for (unsigned w = 0; w < Words; ++w) {
    const std::uint64_t x = a.words[w] ^ b.words[w];
    const std::uint64_t any = bits == 2 ? x | x >> 1 : x | x >> 1 | x >> 2;
    differ.words[w] = any & low;
  }
  return differ;
}

/// All bits of the symbols whose lowest bits are set.
template <unsigned Words>
GSX_HD SequenceKey<Words> whole_symbols(SequenceKey<Words> lowest, std::uint32_t bits) {
  for (unsigned w = 0; w < Words; ++w)
    lowest.words[w] *= bits == 2 ? 3 : 7;
  return lowest;
}

/// Writes the key of `sequence` to `words`, with the bits per symbol that it needs: two, or three
/// if it holds N. Letters may be in either case, and U is T. Returns these bits; 0 if there is any
/// other letter. Pre: the length is from 1 to 64, and
/// `words` has room for most_key_words.
GSX_API std::uint32_t encode_sequence(std::string_view sequence, std::uint64_t* words);

/// Puts the key of two bits per symbol, whose sequence has `length` symbols, into three.
GSX_API void widen_key(const std::uint64_t* words, std::uint32_t length, std::uint64_t* wide);

/// Appends the sequence of a key, in upper case.
GSX_API void append_sequence(std::string& text, const std::uint64_t* words, SequenceShape shape);

}  // namespace gsx
