// Words of many lanes, one bit each: what a bit-sliced scan computes with.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/host_device.hpp"

namespace gsx {

/// 128 lanes, on every CPU.
struct BaselineLanes {
  using Word = std::uint64_t __attribute__((vector_size(16)));
  /// Whether all lanes are set.
  static bool all(const Word& word) { return (word[0] & word[1]) == ~std::uint64_t{0}; }
};

#ifdef __x86_64__
/// 256 lanes, for CpuPath::avx2.
struct Avx2Lanes {
  using Word = std::uint64_t __attribute__((vector_size(32)));
  __attribute__((target("avx2"))) static inline bool all(const Word& word) {
    return _mm256_testc_si256(reinterpret_cast<__m256i>(word), _mm256_set1_epi8(-1)) != 0;
  }
};
#endif

/// Copies a word; lane i is bit i % 8 of byte i / 8. (Words are passed by reference: as values,
/// they would be passed in other ways where AVX2 is on.)
template <class Word>
GSX_HD void load_lanes(Word& word, const std::uint8_t* from) {
  std::memcpy(&word, from, sizeof word);
}
template <class Word>
GSX_HD void store_lanes(std::uint8_t* to, const Word& word) {
  std::memcpy(to, &word, sizeof word);
}

}  // namespace gsx
