#include "query/patterns.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "seq/symbol_scan.hpp"

namespace gsx {
namespace {

/// The codes of Alphabet::dna(). Bits 1 and 2 of a letter, in either case, read A 0, C 1, G 3, T
/// and U 2; x ^ x >> 1 turns that into the code.
ByteLanes dna_codes(ByteLanes symbols) {
  static_assert(Alphabet::none == 0xFF);
  const ByteLanes upper = symbols & 0xDF;
  const auto base = (upper == 'A') | (upper == 'C') | (upper == 'G') | ((upper | 1) == 'U');
  const ByteLanes bits = upper >> 1 & 3;
  return (bits ^ bits >> 1) | ~reinterpret_cast<ByteLanes>(base);
}

void encode_dna(std::string_view symbols, std::uint8_t* codes, const Alphabet& alphabet) {
  constexpr std::size_t width = sizeof(ByteLanes);
  std::size_t at = 0;
  for (; at + width <= symbols.size(); at += width) {
    ByteLanes lanes;
    std::memcpy(&lanes, symbols.data() + at, width);
    lanes = dna_codes(lanes);
    std::memcpy(codes + at, &lanes, width);
  }
  for (; at < symbols.size(); ++at)
    codes[at] = alphabet.code(symbols[at]);
}

void encode_symbols(std::string_view symbols, std::uint8_t* codes, const Alphabet& alphabet) {
  if (alphabet.policy() == SymbolPolicy::dna) return encode_dna(symbols, codes, alphabet);
  std::transform(symbols.begin(), symbols.end(), codes,
                 [&alphabet](char symbol) { return alphabet.code(symbol); });
}

}  // namespace

void PatternBuffer::encode(const RecordBatch& batch, const Alphabet& alphabet) {
  codes_.resize(batch.symbols.size());
  encode_symbols(batch.symbols, codes_.data(), alphabet);
  ends_.assign(batch.symbol_ends.begin(), batch.symbol_ends.end());
}

void PatternBuffer::encode(std::span<const std::string_view> patterns, const Alphabet& alphabet) {
  ends_.clear();
  std::uint64_t end = 0;
  for (const std::string_view pattern : patterns)
    ends_.push_back(end += pattern.size());
  codes_.resize(end);
  std::uint8_t* to = codes_.data();
  for (const std::string_view pattern : patterns) {
    encode_symbols(pattern, to, alphabet);
    to += pattern.size();
  }
}

}  // namespace gsx
