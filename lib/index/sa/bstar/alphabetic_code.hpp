// A compressed code of the symbols that keeps the order of the suffixes.
#pragma once

#include <cstdint>
#include <vector>

#include "index/sa/alphabetic_words.hpp"
#include "index/sa/bstar/bigram_buckets.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Alphabetic prefix codes. One code is for the first symbol of a suffix; one for each symbol is
/// for the symbols that follow it. The stream of a suffix is its code words, one after another.
/// Streams compare, bit for bit, as the suffixes do, because up to the first difference both use
/// the same codes. So 60 bits hold 16 letters of English instead of 8, and the leading bits are
/// used more evenly. Texts of at most 4 symbols keep their packed codes.
///
/// After the end of its segment a stream continues with zeros, the lowest possible stream. So
/// streams that differ always order their suffixes; but a stream that ends in zeros may belong to a
/// suffix that has ended.
class AlphabeticCode {
 public:
  /// `buckets` says how often symbols follow each other. Cost: 10 ns per pair of symbols.
  AlphabeticCode(const TextView& text, const BigramBuckets& buckets);

  /// Whether streams are the packed codes of the text.
  bool is_packed() const { return first_.empty(); }

  /// The stream of what follows `code`: `next` is the first symbol that follows, `rest` the stream
  /// of what follows that. Both are 0 where a segment ends. All 64 bits are valid.
  /// Pre: !is_packed().
  std::uint64_t follow(std::uint64_t code, std::uint64_t next, std::uint64_t rest) const {
    return prepend(next_[code << bits_ | next], rest);
  }
  /// The stream of a suffix that begins with `code`; `rest` is the stream of what follows.
  std::uint64_t whole(std::uint64_t code, std::uint64_t rest) const {
    return prepend(first_[code], rest);
  }

  /// A number of symbols that all suffixes share whose streams begin with the highest `bits` bits
  /// of `stream`. The other bits of `stream` are 0; p is the position of one of these suffixes.
  /// Cost: 1 ns per symbol.
  std::uint64_t shared_symbols(std::uint64_t stream, int bits, std::uint64_t p) const;

 private:
  static std::uint64_t prepend(AlphabeticWord word, std::uint64_t rest) {
    return word_bits(word) | rest >> word_length(word);
  }

  PackedView symbols_;
  std::uint32_t bits_;  ///< per packed symbol
  std::vector<AlphabeticWord> first_;
  std::vector<AlphabeticWord> next_;  ///< [a << bits | b]: the word of b after a
};

}  // namespace gsx
