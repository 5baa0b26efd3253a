// The values of columns, as text formats and JSON write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "output/lines/digits.hpp"
#include "output/lines/line_writer.hpp"

namespace gsx {

/// A name as the format writes it, with the quotes of JSON.
struct ShownName {
  std::string_view text;
};

/// Letters that every format writes as they are.
struct Word {
  std::string_view text;
};

/// A number with four digits after the point, or none.
struct Score {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t ten_thousandths = none;
};

/// Characters that a value may take, in any format.
constexpr std::size_t most_of(char) {
  return 3;
}
constexpr std::size_t most_of(bool) {
  return 6;
}
constexpr std::size_t most_of(std::uint32_t) {
  return most_digits;
}
constexpr std::size_t most_of(std::uint64_t) {
  return most_digits;
}
constexpr std::size_t most_of(const ShownName& name) {
  return name.text.size();
}
constexpr std::size_t most_of(const Word& word) {
  return word.text.size() + 2;
}
constexpr std::size_t most_of(const Score&) {
  return most_digits + 5;
}

/// Writes one of two words, which zeros make equally long, so that no copy has a length that
/// varies.
template <std::size_t size>
char* put_either(char* at, bool truth, const char (&yes)[size], const char (&no)[size]) {
  std::memcpy(at, truth ? yes : no, size);
  return at + (truth ? std::string_view(yes).size() : std::string_view(no).size());
}

/// Values in lines of text.
struct TextValues {
  static char* put(char* at, char symbol) {
    *at = symbol;
    return at + 1;
  }
  static char* put(char* at, bool truth) { return put_either(at, truth, "yes", "no\0"); }
  static char* put(char* at, std::uint32_t number) { return put(at, std::uint64_t{number}); }
  static char* put(char* at, std::uint64_t number) {
    if (number >= 10) return put_number(at, number);
    *at = static_cast<char>('0' + number);  // most columns hold such a number, without a call
    return at + 1;
  }
  static char* put(char* at, const ShownName& name) { return put_text(at, name.text); }
  static char* put(char* at, const Word& word) { return put_text(at, word.text); }
  static char* put(char* at, const Score& score) {
    if (score.ten_thousandths == Score::none) return put_text(at, ".");
    at = put_number(at, score.ten_thousandths / 10'000);
    const std::uint64_t rest = score.ten_thousandths % 10'000;
    *at++ = '.';
    for (std::uint64_t unit = 1000; unit > 0; unit /= 10)
      *at++ = static_cast<char>('0' + rest / unit % 10);
    return at;
  }
};

/// Values in objects of JSON.
struct JsonValues : TextValues {
  using TextValues::put;
  static char* put(char* at, char symbol) { return put(at, Word{{&symbol, 1}}); }
  static char* put(char* at, bool truth) { return put_either(at, truth, "true\0", "false"); }
  static char* put(char* at, const Word& word) {
    *at++ = '"';
    at = put_text(at, word.text);
    *at++ = '"';
    return at;
  }
  static char* put(char* at, const Score& score) {
    if (score.ten_thousandths == Score::none) return put_text(at, "null");
    return TextValues::put(at, score);
  }
};

}  // namespace gsx
