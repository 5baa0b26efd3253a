// Keys in buckets of their leading symbols, in which a thread finds the keys near another one.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "search/sets/sequence_key.hpp"

namespace gsx {

/// The symbols in which any two keys of some sets differ, numbered in the order of the sequence.
struct VaryingSymbols {
  std::uint32_t number = 0;
  std::uint32_t bits = 2;     ///< per symbol
  std::uint32_t letters = 4;  ///< 5 where a symbol has three bits
  std::uint8_t words[SequenceShape::most_length] = {};
  std::uint8_t shifts[SequenceShape::most_length] = {};

  VaryingSymbols() = default;
  /// Pre: `differing` has the lowest bit of each symbol that varies.
  template <unsigned Words>
  VaryingSymbols(SequenceShape shape, const SequenceKey<Words>& differing)
      : bits(shape.bits), letters(shape.bits == 2 ? 4 : 5) {
    for (std::uint32_t i = 0; i < shape.length; ++i) {
      const std::uint32_t word = shape.word_of(i), shift = shape.shift_of(i);
      if ((differing.words[word] >> shift & 1) == 0) continue;
      words[number] = static_cast<std::uint8_t>(word);
      shifts[number++] = static_cast<std::uint8_t>(shift);
    }
  }

  /// The code of symbol v of a key.
  template <unsigned Words>
  GSX_HD std::uint32_t code(const SequenceKey<Words>& key, std::uint32_t v) const {
    std::uint64_t word = key.words[0];
    for (unsigned w = 1; w < Words; ++w)
      word = words[v] == w ? key.words[w] : word;
    return static_cast<std::uint32_t>(word >> shifts[v]) & ((1u << bits) - 1);
  }
  /// The bits of symbol v and all that follow it.
  template <unsigned Words>
  GSX_HD SequenceKey<Words> from(std::uint32_t v) const {
    SequenceKey<Words> mask;
    for (unsigned w = 0; w < Words; ++w) {
      const std::uint32_t above = shifts[v] + bits;  // up to 64
      const std::uint64_t own = ~std::uint64_t{0} >> (64 - above);
      mask.words[w] = w < words[v] ? 0 : w > words[v] ? ~std::uint64_t{0} : own;
    }
    return mask;
  }
  /// `key` with code c as symbol v, and 0 behind that.
  template <unsigned Words>
  GSX_HD SequenceKey<Words> ending_with(SequenceKey<Words> key, std::uint32_t v,
                                        std::uint32_t c) const {
    for (unsigned w = 0; w < Words; ++w) {
      if (w < words[v]) continue;
      key.words[w] &= words[v] == w ? ~std::uint64_t{0} << shifts[v] << bits : 0;
      if (words[v] == w) key.words[w] |= std::uint64_t{c} << shifts[v];
    }
    return key;
  }
};

/// The keys of a set, and where those begin that share some leading varying symbols. Memory beside
/// the keys: 4 bytes per bucket.
template <unsigned Words>
struct NeighborTableView {
  static constexpr std::uint32_t most_leading = 14;

  const SequenceKey<Words>* keys = nullptr;  ///< [size], ascending, no two equal
  const std::uint32_t* starts = nullptr;     ///< [buckets() + 1]
  std::uint32_t size = 0;
  std::uint32_t scanned = 0;  ///< most keys of a bucket that are compared one by one
  std::uint32_t leading = 0;  ///< symbols that the buckets look at
  VaryingSymbols symbols;
  std::uint32_t weights[most_leading] = {};  ///< of each symbol, in the number of a bucket

  /// Lets the table look at so many symbols. Pre: `count` is at most symbols.number.
  void look_at(std::uint32_t count) {
    leading = count;
    for (std::uint32_t v = count, weight = 1; v-- > 0; weight *= symbols.letters)
      weights[v] = weight;
  }
  GSX_HD std::uint32_t bucket(const SequenceKey<Words>& key) const {
    std::uint32_t number = 0;
    for (std::uint32_t v = 0; v < leading; ++v)
      number += symbols.code(key, v) * weights[v];
    return number;
  }
  std::uint64_t buckets() const {
    return leading == 0 ? 1 : std::uint64_t{weights[0]} * symbols.letters;
  }
};
static_assert(std::is_trivially_copyable_v<NeighborTableView<1>>);

/// How many leading symbols make about a bucket per key, where there may be `most` buckets.
inline std::uint32_t leading_symbols(const VaryingSymbols& symbols, std::uint64_t keys,
                                     std::uint64_t most) {
  std::uint32_t leading = 0;
  std::uint64_t buckets = 1;
  while (leading < symbols.number && leading < NeighborTableView<1>::most_leading &&
         buckets < keys && buckets * symbols.letters <= most) {
    buckets *= symbols.letters;
    ++leading;
  }
  return leading;
}

}  // namespace gsx
