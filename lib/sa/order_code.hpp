// A code of symbols whose words compare as the symbols do, shorter where symbols are frequent.
#pragma once

#include <array>
#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// An alphabetic prefix code (Gilbert and Moore, 1959; here by halving weights): streams of words
/// compare, bit for bit, as the symbols do. So 60 bits hold 13 letters of English instead of 8, and
/// the leading bits are used about evenly. Texts of at most 4 symbols keep their packed codes.
///
/// Behind a segment's end a stream goes on with zeros, which no stream is below; so streams that
/// differ order suffixes rightly, but one that ends in zeros may be that of a suffix that ends.
/// Example for weights 4 2 1 1: 0, 10, 110, 111.
class OrderCode {
 public:
  static constexpr int word_bits = 12;  ///< of the longest word

  /// From a sample of the text. Cost: 0.1 ms.
  explicit OrderCode(const TextView& text);

  /// Whether words are the text's packed codes.
  bool is_packed() const { return packed_bits_ != 0; }

  /// The stream of a suffix whose first symbol is `code` and whose rest has the stream `rest`; that
  /// of an end is 0. All 64 bits are valid. Pre: !is_packed().
  std::uint64_t prepend(std::uint64_t code, std::uint64_t rest) const {
    const Word& word = words_[code];
    return word.bits | rest >> word.length;
  }

  /// How many symbols all suffixes surely share whose streams begin with the highest `bits` bits of
  /// `stream`, the other ones being 0. Pre: bits < 64. Cost: about 5 look-ups in a table of 16 KiB.
  std::uint64_t shared_symbols(std::uint64_t stream, int bits) const;

 private:
  struct Word {
    std::uint64_t bits;  ///< left-aligned
    std::uint64_t length;
  };
  /// What begins with some word_bits bits.
  struct Decoded {
    std::uint8_t first;    ///< bits of the first word
    std::uint8_t symbols;  ///< whole symbols
    std::uint8_t bits;     ///< their bits
  };

  void assign(const std::uint64_t* weights, std::uint32_t begin, std::uint32_t end,
              std::uint64_t prefix, int depth);
  void fill_table(std::uint32_t sigma);

  std::uint64_t packed_bits_;  ///< a symbol, or 0
  std::array<Word, 256> words_{};
  std::array<Decoded, std::size_t{1} << word_bits> decoded_{};
};

}  // namespace gsx
