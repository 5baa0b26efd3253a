// A code of symbols whose words compare as the symbols do, shorter where symbols are frequent.
#pragma once

#include <array>
#include <cstdint>

#include "text/text_view.hpp"

namespace gsx {

/// An alphabetic prefix code of a text's codes and of the end of a segment, which is the smallest
/// and whose word is all zeros (Gilbert and Moore, 1959; here by halving weights). Streams of words
/// compare, bit for bit, as the symbols do; so a key of 60 bits holds 13 letters of English instead
/// of 8, and its leading bits are used about evenly. Behind an end there are zeros.
/// Example for DNA where all bases are as frequent: end 000, A 001, C 01, G 10, T 11.
class OrderCode {
 public:
  static constexpr int word_bits = 12;  ///< of the longest word

  /// From a sample of the text. Cost: 0.1 ms.
  explicit OrderCode(const TextView& text);

  /// The stream of a suffix whose first symbol is `code` and whose rest has the stream `rest`; that
  /// of an end is 0. 64 bits, all valid.
  std::uint64_t prepend(std::uint64_t code, std::uint64_t rest) const {
    const Word& word = words_[code];
    return word.bits | rest >> word.length;
  }

  /// What all suffixes have in common whose streams begin with the same bits.
  struct Common {
    std::uint64_t symbols;  ///< whole ones in those bits
    bool ended;             ///< the end comes behind them
  };
  /// Pre: bits >= word_bits. Cost: about 5 look-ups in a table of 16 KiB.
  Common common(std::uint64_t stream, int bits) const;

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
    bool is_end;           ///< whether the first word is the end's
  };

  void assign(const std::uint64_t* weights, std::uint32_t begin, std::uint32_t end,
              std::uint64_t prefix, int depth);
  void fill_table(std::uint32_t sigma);

  std::uint64_t end_length_ = 0;
  std::array<Word, 256> words_{};
  std::array<Decoded, std::size_t{1} << word_bits> decoded_{};
};

}  // namespace gsx
