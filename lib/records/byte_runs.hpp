// Finds how far a line goes on, many bytes at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "records/symbol_scan.hpp"

namespace gsx {

/// 16 bytes per step, on every CPU. Each function gives the number of bytes at `at` before the
/// first that ends the run, or `width` if none does; all of them are read.
struct BaselineRuns {
  static constexpr std::size_t width = sizeof(ByteLanes);

  /// Up to a byte that is no sequence symbol.
  static std::size_t symbols(const char* at) { return before(scan_detail::no_symbol(load(at))); }
  /// Up to a byte that is no quality value.
  static std::size_t qualities(const char* at) { return before(scan_detail::no_quality(load(at))); }
  /// Up to a line end or a NUL.
  static std::size_t header(const char* at) {
    const ByteLanes lanes = load(at);
    return before((lanes == '\n') | (lanes == '\r') | (lanes == 0));
  }
  /// Up to a blank, a line end or a NUL.
  static std::size_t name(const char* at) {
    const ByteLanes lanes = load(at);
    return before((lanes == '\n') | (lanes == '\r') | (lanes == 0) | (lanes == ' ') |
                  (lanes == '\t'));
  }
  /// Whether `length` bytes are symbols or quality values. Pre: length >= width.
  static bool all_symbols(const char* at, std::size_t length) {
    return gsx::all_symbols({at, length});
  }
  static bool all_qualities(const char* at, std::size_t length) {
    return gsx::all_qualities({at, length});
  }
  /// Copies `width` bytes.
  static void copy(const char* from, char* to) { std::memcpy(to, from, width); }

 private:
  static ByteLanes load(const char* at) {
    ByteLanes lanes;
    std::memcpy(&lanes, at, width);
    return lanes;
  }
  template <class Lanes>
  static std::size_t before(const Lanes& ends) {
    static_assert(std::endian::native == std::endian::little);
    std::uint64_t halves[2];
    std::memcpy(halves, &ends, width);
    const bool second = halves[0] == 0;
    return static_cast<std::size_t>(second ? 64 + std::countr_zero(halves[1])
                                           : std::countr_zero(halves[0])) /
           8;
  }
};

#ifdef __x86_64__
/// The runs of 32 bytes per step, for CpuPath::avx2.
struct Avx2Runs {
  static constexpr std::size_t width = 32;
#define GSX_RUN __attribute__((target("avx2,bmi"))) static inline

  GSX_RUN std::size_t symbols(const char* at) {
    return before(no_symbol(load(at)));
  }
  GSX_RUN std::size_t qualities(const char* at) {
    return before(unprintable(load(at)));
  }
  GSX_RUN std::size_t header(const char* at) {
    return before(line_end(load(at)));
  }
  GSX_RUN std::size_t name(const char* at) {
    const __m256i bytes = load(at);
    const __m256i blank = _mm256_or_si256(equal(bytes, ' '), equal(bytes, '\t'));
    return before(_mm256_or_si256(line_end(bytes), blank));
  }
  GSX_RUN bool all_symbols(const char* at, std::size_t length) {
    const char* const last = at + length - width;
    __m256i odd = no_symbol(load(last));
    for (; at < last; at += width)
      odd = _mm256_or_si256(odd, no_symbol(load(at)));
    return before(odd) == width;
  }
  GSX_RUN bool all_qualities(const char* at, std::size_t length) {
    const char* const last = at + length - width;
    __m256i odd = unprintable(load(last));
    for (; at < last; at += width)
      odd = _mm256_or_si256(odd, unprintable(load(at)));
    return before(odd) == width;
  }
  GSX_RUN void copy(const char* from, char* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), load(from));
  }

 private:
  GSX_RUN __m256i load(const char* at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  }
  GSX_RUN __m256i equal(__m256i bytes, char byte) {
    return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte));
  }
  GSX_RUN __m256i unprintable(__m256i bytes) {
    const __m256i above_blank = _mm256_subs_epu8(bytes, _mm256_set1_epi8(0x20));
    return _mm256_or_si256(equal(above_blank, 0), equal(bytes, 0x7f));
  }
  GSX_RUN __m256i no_symbol(__m256i bytes) {
    return _mm256_or_si256(unprintable(bytes), equal(bytes, '>'));
  }
  GSX_RUN __m256i line_end(__m256i bytes) {
    return _mm256_or_si256(_mm256_or_si256(equal(bytes, '\n'), equal(bytes, '\r')),
                           equal(bytes, '\0'));
  }
  GSX_RUN std::size_t before(__m256i ends) {
    return _tzcnt_u32(static_cast<unsigned>(_mm256_movemask_epi8(ends)));
  }
#undef GSX_RUN
};
#endif

}  // namespace gsx
