// Spreads keys over bins by some of their symbols.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/bits.hpp"
#include "search/sets/sequence_key.hpp"

namespace gsx {

/// Bins of keys by a part of their symbols: by its very bits if these are close together and not
/// many more than are wanted, else by a hash.
template <unsigned Words>
class KeyBins {
 public:
  using Key = SequenceKey<Words>;

  /// `part` has the lowest bit of each symbol, and is not empty. There are 2^wanted bins, or the
  /// values of the part if these are at most 2^most. Bins of another `round` have another hash.
  KeyBins(const Key& part, std::uint32_t bits, int wanted, int most, unsigned round)
      : mask_(whole_symbols(part, bits)) {
    unsigned used = 0;
    for (unsigned w = 0; w < Words; ++w) {
      if (part.words[w] == 0) continue;
      ++used;
      word_ = w;
    }
    const auto low = static_cast<int>(lowest_bit64(part.words[word_]));
    const int span = bit_length(mask_.words[word_]) - low;
    exact_ = used == 1 && span <= std::min(most, wanted + static_cast<int>(bits));
    shift_ = exact_ ? low : 64 - wanted;
    number_ = std::uint64_t{1} << (exact_ ? span : wanted);
    // Factors that have nothing to do with each other: what one hash puts together, another parts.
    for (unsigned w = 0; w < Words; ++w) {
      std::uint64_t factor = 0x9E3779B97F4A7C15 * (round * Words + w + 1);
      factor = (factor ^ factor >> 30) * 0xBF58476D1CE4E5B9;
      factor = (factor ^ factor >> 27) * 0x94D049BB133111EB;
      factors_[w] = (factor ^ factor >> 31) | 1;
    }
  }

  /// Whether the keys of a bin agree in the part.
  bool exact() const { return exact_; }
  std::uint64_t number() const { return number_; }
  std::uint64_t of(const Key& key) const {
    if (exact_) return (key.words[word_] & mask_.words[word_]) >> shift_;
    std::uint64_t hash = 0;
    for (unsigned w = 0; w < Words; ++w) {
      const std::uint64_t word = key.words[w] & mask_.words[w];
      hash += (word ^ word >> 29) * factors_[w];
    }
    return hash >> shift_;
  }

 private:
  Key mask_;
  unsigned word_ = 0;
  bool exact_;
  int shift_;
  std::uint64_t number_;
  std::array<std::uint64_t, Words> factors_;
};

}  // namespace gsx
