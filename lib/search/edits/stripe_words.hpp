// Words of stripes for each kind of CPU.
#pragma once

#include <cstdint>

#ifdef __x86_64__
// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

#include "base/cpu_path.hpp"
#include "search/mismatches/lanes.hpp"

/// As GSX_TARGET_AVX2, for StripePath::avx512.
#ifdef __x86_64__
#define GSX_TARGET_STRIPES512 \
  __attribute__((target("avx512f,avx512bw,popcnt,bmi,bmi2,lzcnt,avx2"), flatten))
#endif

namespace gsx {

/// As many stripes as lanes.
template <class Lanes>
struct PlainStripeWord {
  using Word = typename Lanes::Word;
  /// a = (a & b) | c
  static inline void and_or(Word& a, const Word& b, const Word& c) { a = (a & b) | c; }
  /// a = a | b | c
  static inline void or_or(Word& a, const Word& b, const Word& c) { a |= b | c; }
};

#ifdef __x86_64__
struct Avx512StripeWord {
  using Word = std::uint64_t __attribute__((vector_size(64)));
  __attribute__((target("avx512f"))) static inline void and_or(Word& a, const Word& b,
                                                               const Word& c) {
    a = reinterpret_cast<Word>(_mm512_ternarylogic_epi64(reinterpret_cast<__m512i>(a),
                                                         reinterpret_cast<__m512i>(b),
                                                         reinterpret_cast<__m512i>(c), 0xEA));
  }
  __attribute__((target("avx512f"))) static inline void or_or(Word& a, const Word& b,
                                                              const Word& c) {
    a = reinterpret_cast<Word>(_mm512_ternarylogic_epi64(reinterpret_cast<__m512i>(a),
                                                         reinterpret_cast<__m512i>(b),
                                                         reinterpret_cast<__m512i>(c), 0xFE));
  }
};
#endif

}  // namespace gsx
