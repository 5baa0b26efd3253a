// A code of symbols whose streams compare as the text does, shorter where symbols are expected.
#pragma once

#include <cstdint>
#include <vector>

#include "sa/bstar/bigram_buckets.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Alphabetic prefix codes (Gilbert and Moore, 1959; here by halving weights), one for the first
/// symbol of a suffix and one for those that follow each symbol: streams of words compare, bit for
/// bit, as suffixes do, since up to where two of them differ their words come from the same codes.
/// So 60 bits hold 16 letters of English instead of 8, and the leading bits are used more evenly.
/// Texts of at most 4 symbols keep their packed codes.
///
/// Behind a segment's end a stream goes on with zeros, which no stream is below; so streams that
/// differ order suffixes rightly, but one that ends in zeros may be that of a suffix that ends.
/// Example of a code for weights 4 2 1 1: 0, 10, 110, 111.
class AlphabeticCode {
 public:
  /// `pairs` says how often symbols follow each other. Cost: 10 ns a pair of symbols.
  AlphabeticCode(const TextView& text, const BigramBuckets& pairs);

  /// Whether streams are the text's packed codes.
  bool is_packed() const { return first_.empty(); }

  /// The stream of what follows `code`, given its first symbol and the stream of what follows that.
  /// Where a segment ends both are 0. All 64 bits are valid. Pre: !is_packed().
  std::uint64_t follow(std::uint64_t code, std::uint64_t next, std::uint64_t rest) const {
    return prepend(next_[code << bits_ | next], rest);
  }
  /// The stream of a suffix, given its first symbol and the stream of what follows.
  std::uint64_t whole(std::uint64_t code, std::uint64_t rest) const {
    return prepend(first_[code], rest);
  }

  /// How many symbols all suffixes surely share whose streams begin with the highest `bits` bits of
  /// `stream`, the other ones being 0; p is the position of one of them. Cost: 1 ns a symbol.
  std::uint64_t shared_symbols(std::uint64_t stream, int bits, std::uint64_t p) const;

 private:
  /// A word of at most 12 bits, left-aligned, above its length in the lowest 4 bits.
  using Word = std::uint16_t;
  static constexpr int word_bits = 12;

  static std::uint64_t length(Word word) { return word & 15; }
  static std::uint64_t prepend(Word word, std::uint64_t rest) {
    return static_cast<std::uint64_t>(word >> 4) << (64 - word_bits) | rest >> length(word);
  }
  static void assign(const std::vector<std::uint64_t>& weights, std::uint32_t begin,
                     std::uint32_t end, std::uint32_t prefix, int depth, Word* words);

  PackedView symbols_;
  std::uint32_t bits_;  ///< a packed symbol
  std::vector<Word> first_;
  std::vector<Word> next_;  ///< [a << bits | b]: b's where it follows a
};

}  // namespace gsx
