// The codes of DNA letters, many at once: A C G T as 0 1 2 3 and U as T, in either case.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "records/symbol_scan.hpp"

namespace gsx {

/// Codes of 16 symbols; 0xFF stands for one that is no base. Bits 1 and 2 of a letter read A 0, C
/// 1, G 3, T and U 2; x ^ x >> 1 turns that into the code.
inline ByteLanes base_codes(ByteLanes symbols) {
  const ByteLanes upper = symbols & 0xDF;
  const auto base = (upper == 'A') | (upper == 'C') | (upper == 'G') | ((upper | 1) == 'U');
  const ByteLanes bits = upper >> 1 & 3;
  return (bits ^ bits >> 1) | ~reinterpret_cast<ByteLanes>(base);
}

#ifdef __x86_64__
/// Codes of 32 symbols, and which of them are bases: 0xFF for one that is, 0 for one that is not.
struct BaseCodes32 {
  __m256i codes;
  __m256i bases;
};

/// The low four bits of a letter pick its code, and the letter that it must be.
__attribute__((target("avx2"))) inline BaseCodes32 base_codes_32(const char* symbols) {
  // of low bits 1 (A), 3 (C), 4 (T), 5 (U), 7 (G); no upper-case letter is 0xFF
  const __m256i letters = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(-1, 'A', -1, 'C', 'T', 'U', -1, 'G', -1, -1, -1, -1, -1, -1, -1, -1));
  const __m256i codes_of =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 0, 1, 3, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0));
  const __m256i upper =
      _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(symbols)),
                       _mm256_set1_epi8(static_cast<char>(0xDF)));
  const __m256i index = _mm256_and_si256(upper, _mm256_set1_epi8(0x0F));
  return {_mm256_shuffle_epi8(codes_of, index),
          _mm256_cmpeq_epi8(_mm256_shuffle_epi8(letters, index), upper)};
}
#endif

}  // namespace gsx
