#include "search/sets/sequence_key.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace gsx {
namespace {

constexpr std::uint8_t no_code = 7;

/// symbol_code() of every byte.
constexpr std::array<std::uint8_t, 256> codes = [] {
  std::array<std::uint8_t, 256> all{};
  all.fill(no_code);
  constexpr char letters[] = {'A', 'C', 'G', 'N', 'T'};
  for (std::uint8_t code = 0; code < 5; ++code) {
    all[static_cast<unsigned char>(letters[code])] = code;
    all[static_cast<unsigned char>(letters[code] | 0x20)] = code;
  }
  all['U'] = all['u'] = 4;
  return all;
}();

std::uint32_t code_of(char letter) {
  return codes[static_cast<unsigned char>(letter)];
}

/// Packs the codes of `length` symbols: code_at(i) is that of symbol i.
template <class CodeAt>
void pack(std::uint64_t* words, SequenceShape shape, const CodeAt& code_at) {
  std::uint32_t i = 0;
  for (std::uint32_t w = 0; w < shape.words(); ++w) {
    const std::uint32_t end = shape.length - (shape.words() - 1 - w) * shape.symbols_per_word();
    std::uint64_t word = 0;
    for (; i < end; ++i)
      word = word << shape.bits | code_at(i);
    words[w] = word;
  }
}

/// Puts the two bits of each of at most eight letters, the first one highest, into `packed`; false
/// if any is not A, C, G, T or U. All letters at once: bits 1 and 2 tell these letters apart, and
/// the rest of the byte is what these two bits make it.
bool pack_letters(const char* letters, std::uint32_t count, std::uint64_t& packed) {
  constexpr std::uint64_t each = 0x0101010101010101;
  std::uint64_t text = each * 'A';
  std::memcpy(&text, letters, count);
  const std::uint64_t low = text >> 1 & each, high = text >> 2 & each;
  const std::uint64_t is_g = low & high, is_t = high & ~low;
  const std::uint64_t expected =
      each * 'A' + low * ('C' - 'A') + is_g * ('G' - 'C') + is_t * ('T' - 'A');
  // Of T and U, the lowest bit does not matter, and of no letter its case.
  if (((text & ~(each * 0x20)) ^ expected) & ~is_t) return false;
  std::uint64_t all = __builtin_bswap64(high << 1 | (low ^ high));  // A 0, C 1, G 2, T 3
  all = (all | all >> 6) & 0x000F000F000F000F;
  all = (all | all >> 12) & 0x000000FF000000FF;
  packed = ((all | all >> 24) & 0xFFFF) >> (16 - 2 * count);
  return true;
}

/// Packs a sequence of A C G T U; false if it has another letter.
bool pack_plain(std::string_view sequence, std::uint64_t* words) {
  static_assert(std::endian::native == std::endian::little);
  const SequenceShape shape{static_cast<std::uint32_t>(sequence.size()), 2};
  std::uint32_t i = 0;
  for (std::uint32_t w = 0; w < shape.words(); ++w) {
    const std::uint32_t end = shape.length - (shape.words() - 1 - w) * shape.symbols_per_word();
    std::uint64_t word = 0;
    for (std::uint32_t count; i < end; i += count) {
      count = std::min<std::uint32_t>(8, end - i);
      std::uint64_t packed = 0;
      if (!pack_letters(sequence.data() + i, count, packed)) return false;
      word = word << 2 * count | packed;
    }
    words[w] = word;
  }
  return true;
}

}  // namespace

std::uint32_t encode_sequence(std::string_view sequence, std::uint64_t* words) {
  if (pack_plain(sequence, words)) return 2;
  const auto length = static_cast<std::uint32_t>(sequence.size());
  for (const char letter : sequence)
    if (code_of(letter) == no_code) return 0;
  pack(words, {length, 3},
       [&](std::uint32_t i) { return static_cast<std::uint64_t>(code_of(sequence[i])); });
  return 3;
}

void widen_key(const std::uint64_t* words, std::uint32_t length, std::uint64_t* wide) {
  const SequenceShape shape{length, 2};
  pack(wide, {length, 3}, [&](std::uint32_t i) {
    const std::uint64_t code = words[shape.word_of(i)] >> shape.shift_of(i) & 3;
    return code == 3 ? 4 : code;
  });
}

void append_sequence(std::string& text, const std::uint64_t* words, SequenceShape shape) {
  const char* const letters = shape.bits == 2 ? "ACGT" : "ACGNT";
  const std::uint64_t mask = shape.bits == 2 ? 3 : 7;
  text.resize(text.size() + shape.length);
  char* to = text.data() + text.size();
  std::uint32_t left = shape.length;
  for (std::uint32_t w = shape.words(); w-- > 0;) {
    std::uint64_t word = words[w];
    for (std::uint32_t i = std::min(left, shape.symbols_per_word()); i > 0; --i, --left) {
      *--to = letters[word & mask];
      word >>= shape.bits;
    }
  }
}

}  // namespace gsx
