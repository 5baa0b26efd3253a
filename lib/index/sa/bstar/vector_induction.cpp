#include "index/sa/bstar/vector_induction.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "index/sa/tuning.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#define GSX_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,popcnt,bmi,bmi2,lzcnt")))

namespace gsx {
namespace {

constexpr std::uint64_t chunk_rows = sa_tuning::vector_chunk_rows;

/// The lowest `count` of all bits of a mask. Pre: 0 < count <= 64.
std::uint64_t lowest(std::uint64_t count) {
  return ~std::uint64_t{0} >> (64 - count);
}

/// Rows of a chunk whose left contexts must be read from the text.
class UnknownContexts {
 public:
  /// Lists them and asks for their text.
  GSX_TARGET_AVX512 void find(const VectorRows& rows, Slice chunk) {
    size_ = 0;
    for (std::uint64_t row = chunk.begin; row < chunk.end; row += 64) {
      const __mmask64 valid = lowest(std::min<std::uint64_t>(64, chunk.end - row));
      const __m512i contexts = _mm512_maskz_loadu_epi8(valid, rows.contexts.low + row);
      std::uint64_t found =
          _mm512_mask_cmpeq_epi8_mask(valid, contexts, _mm512_set1_epi8(empty_context));
      for (; found != 0; found &= found - 1) {
        const std::uint64_t here = row + static_cast<std::uint64_t>(std::countr_zero(found));
        rows.reader.prefetch(rows.sa[here]);
        rows_[size_++] = here;
      }
    }
  }
  void read(const VectorRows& rows) const {
    for (std::uint64_t i = 0; i < size_; ++i)
      rows.contexts.store(rows_[i], rows.reader.at(rows.sa[rows_[i]]));
  }

 private:
  std::array<std::uint64_t, chunk_rows> rows_;
  std::uint64_t size_ = 0;
};

/// Chunk i of a slice, from below or, downwards, from above. Empty after the last one.
template <int step>
Slice chunk_of(Slice slice, std::uint64_t i) {
  const std::uint64_t size = slice.end - slice.begin;
  const std::uint64_t first = std::min(size, i * chunk_rows);
  const std::uint64_t last = std::min(size, first + chunk_rows);
  if constexpr (step > 0) return {slice.begin + first, slice.begin + last};
  return {slice.end - last, slice.end - first};
}

/// Calls then(chunk) for chunk after chunk when its contexts have been read. Their text was asked
/// for one chunk earlier.
template <int step, class Then>
void for_each_chunk(const VectorRows& rows, Slice slice, const Then& then) {
  UnknownContexts unknown[2];
  unknown[0].find(rows, chunk_of<step>(slice, 0));
  for (std::uint64_t i = 0;; ++i) {
    const Slice chunk = chunk_of<step>(slice, i);
    if (chunk.begin == chunk.end) return;
    unknown[~i & 1].find(rows, chunk_of<step>(slice, i + 1));
    unknown[i & 1].read(rows);
    then(chunk);
  }
}

GSX_TARGET_AVX512 void count_symbols(const VectorRows& rows, Slice slice, std::uint64_t* counts) {
  const __m512i mask = _mm512_set1_epi8(static_cast<char>(rows.reader.mask));
  for (std::uint64_t row = slice.begin; row < slice.end; row += 64) {
    const __mmask64 valid = lowest(std::min<std::uint64_t>(64, slice.end - row));
    const __m512i contexts = _mm512_maskz_loadu_epi8(valid, rows.contexts.low + row);
    const __mmask64 inside = _mm512_test_epi8_mask(contexts, contexts);
    const __m512i symbols = _mm512_and_si512(contexts, mask);
    for (int c = 0; c <= rows.reader.mask; ++c) {
      const std::uint64_t found =
          _mm512_mask_cmpeq_epi8_mask(inside, symbols, _mm512_set1_epi8(static_cast<char>(c)));
      counts[c] += static_cast<std::uint64_t>(std::popcount(found));
    }
  }
}

/// Passes those of 16 rows from `row` on that are set in `valid`, the lowest ones. The rows of one
/// symbol write their suffixes side by side, so a compressed vector has them all; no row depends on
/// another one.
template <int step>
GSX_TARGET_AVX512 __attribute__((always_inline)) inline void pass_vector(const VectorRows& rows,
                                                                         std::uint64_t row,
                                                                         __mmask16 valid,
                                                                         InductionPlace* places,
                                                                         WantedSymbols wanted) {
  std::uint8_t* const low = rows.contexts.low;
  const __m128i bits = _mm_cvtsi32_si128(static_cast<int>(rows.reader.symbols.bits));
  const __m128i contexts = _mm_maskz_loadu_epi8(valid, low + row);
  const __mmask16 inside = _mm_test_epi8_mask(contexts, contexts);
  const __m128i symbols =
      _mm_and_si128(contexts, _mm_set1_epi8(static_cast<char>(rows.reader.mask)));
  // A full mask costs nothing; GCC 12 warns of the forms without a mask.
  const __m512i rest =
      _mm512_maskz_srl_epi32(0xFFFF, _mm512_maskz_cvtepu8_epi32(0xFFFF, contexts), bits);
  const __m512i longer = _mm512_maskz_sub_epi32(
      0xFFFF, _mm512_maskz_loadu_epi32(valid, rows.sa + row), _mm512_set1_epi32(1));
  if constexpr (step > 0) {
    const __m128i none = _mm_set1_epi8(static_cast<char>(VectorRows::no_symbol));
    _mm_mask_storeu_epi8(low + row, valid, _mm_mask_mov_epi8(none, inside, symbols));
  }
  for (std::uint64_t c = wanted.first; c <= wanted.last; ++c) {
    const __mmask16 same =
        _mm_mask_cmpeq_epi8_mask(inside, symbols, _mm_set1_epi8(static_cast<char>(c)));
    const auto count = static_cast<std::uint64_t>(std::popcount(std::uint32_t{same}));
    std::uint64_t& place = step > 0 ? places[c].up : places[c].down;
    const std::uint64_t target = step > 0 ? place : place - count;
    place = step > 0 ? place + count : target;
    const auto written = static_cast<__mmask16>((std::uint32_t{1} << count) - 1);
    _mm512_mask_storeu_epi32(rows.sa + target, written, _mm512_maskz_compress_epi32(same, longer));
    _mm_mask_storeu_epi8(
        low + target, written,
        _mm512_maskz_cvtepi32_epi8(0xFFFF, _mm512_maskz_compress_epi32(same, rest)));
  }
}

template <int step>
GSX_TARGET_AVX512 void pass_vectors(const VectorRows rows, Slice slice, InductionPlace* places,
                                    WantedSymbols wanted) {
  const std::uint64_t size = slice.end - slice.begin;
  const auto some = static_cast<__mmask16>((std::uint32_t{1} << size % 16) - 1);
  if constexpr (step > 0) {
    for (std::uint64_t i = 0; i + 16 <= size; i += 16)
      pass_vector<step>(rows, slice.begin + i, 0xFFFF, places, wanted);
    if (some != 0) pass_vector<step>(rows, slice.end - size % 16, some, places, wanted);
  } else {
    for (std::uint64_t i = 16; i <= size; i += 16)
      pass_vector<step>(rows, slice.end - i, 0xFFFF, places, wanted);
    if (some != 0) pass_vector<step>(rows, slice.begin, some, places, wanted);
  }
}

}  // namespace

bool has_vector_induction() {
  static const bool has =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("bmi2") != 0;
  return has;
}

template <int step>
void read_contexts(const VectorRows& rows, Slice slice, std::uint64_t* counts) {
  for_each_chunk<step>(rows, slice, [&](Slice chunk) { count_symbols(rows, chunk, counts); });
}
template <int step>
void pass_known_rows(const VectorRows& rows, Slice slice, InductionPlace* places,
                     WantedSymbols wanted) {
  pass_vectors<step>(rows, slice, places, wanted);
}
template <int step>
void pass_rows(const VectorRows& rows, Slice slice, InductionPlace* places, WantedSymbols wanted) {
  for_each_chunk<step>(rows, slice,
                       [&](Slice chunk) { pass_vectors<step>(rows, chunk, places, wanted); });
}

#define GSX_VECTOR_INDUCTION(step)                                                               \
  template void read_contexts<step>(const VectorRows&, Slice, std::uint64_t*);                   \
  template void pass_known_rows<step>(const VectorRows&, Slice, InductionPlace*, WantedSymbols); \
  template void pass_rows<step>(const VectorRows&, Slice, InductionPlace*, WantedSymbols)
GSX_VECTOR_INDUCTION(1);
GSX_VECTOR_INDUCTION(-1);
#undef GSX_VECTOR_INDUCTION

}  // namespace gsx

#else

bool gsx::has_vector_induction() {
  return false;
}

#endif
