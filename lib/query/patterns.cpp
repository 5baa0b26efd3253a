#include "query/patterns.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#ifdef __x86_64__
#include <immintrin.h>
#endif

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

#ifdef __x86_64__
/// The same with 32 symbols per step, for as many as whole steps take; returns how many. The low
/// four bits of a letter pick its code, and the letter that it must be.
__attribute__((target("avx2"))) std::size_t encode_dna_avx2(std::string_view symbols,
                                                            std::uint8_t* codes) {
  // of low bits 1 (A), 3 (C), 4 (T), 5 (U), 7 (G); no upper-case letter is 0xFF
  const __m256i letters = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(-1, 'A', -1, 'C', 'T', 'U', -1, 'G', -1, -1, -1, -1, -1, -1, -1, -1));
  const __m256i codes_of =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 1, 3, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i low = _mm256_set1_epi8(0x0F);
  const __m256i upper = _mm256_set1_epi8(static_cast<char>(0xDF));
  constexpr std::size_t width = sizeof(__m256i);
  std::size_t at = 0;
  for (; at + width <= symbols.size(); at += width) {
    const __m256i letter = _mm256_and_si256(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(symbols.data() + at)), upper);
    const __m256i index = _mm256_and_si256(letter, low);
    const __m256i base = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(letters, index), letter);
    const __m256i none = _mm256_andnot_si256(base, _mm256_set1_epi8(-1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + at),
                        _mm256_or_si256(_mm256_shuffle_epi8(codes_of, index), none));
  }
  return at;
}
#endif

void encode_dna(std::string_view symbols, std::uint8_t* codes, const Alphabet& alphabet,
                [[maybe_unused]] CpuPath path) {
  constexpr std::size_t width = sizeof(ByteLanes);
  std::size_t at = 0;
#ifdef __x86_64__
  if (path == CpuPath::avx2) at = encode_dna_avx2(symbols, codes);
#endif
  for (; at + width <= symbols.size(); at += width) {
    ByteLanes lanes;
    std::memcpy(&lanes, symbols.data() + at, width);
    lanes = dna_codes(lanes);
    std::memcpy(codes + at, &lanes, width);
  }
  for (; at < symbols.size(); ++at)
    codes[at] = alphabet.code(symbols[at]);
}

void encode_symbols(std::string_view symbols, std::uint8_t* codes, const Alphabet& alphabet,
                    CpuPath path) {
  if (alphabet.policy() == SymbolPolicy::dna) return encode_dna(symbols, codes, alphabet, path);
  std::transform(symbols.begin(), symbols.end(), codes,
                 [&alphabet](char symbol) { return alphabet.code(symbol); });
}

}  // namespace

void PatternBuffer::encode(const RecordBatch& batch, const Alphabet& alphabet, CpuPath path) {
  codes_.reserve(batch.symbols.capacity());  // a batch that is a little larger needs no new memory
  codes_.resize(batch.symbols.size());
  encode_symbols(batch.symbols, codes_.data(), alphabet, path);
  ends_.assign(batch.symbol_ends.begin(), batch.symbol_ends.end());
}

void PatternBuffer::encode(std::span<const std::string_view> patterns, const Alphabet& alphabet,
                           CpuPath path) {
  ends_.clear();
  std::uint64_t end = 0;
  for (const std::string_view pattern : patterns)
    ends_.push_back(end += pattern.size());
  codes_.resize(end);
  std::uint8_t* to = codes_.data();
  for (const std::string_view pattern : patterns) {
    encode_symbols(pattern, to, alphabet, path);
    to += pattern.size();
  }
}

}  // namespace gsx
