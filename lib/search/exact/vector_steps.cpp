#include "search/exact/vector_steps.hpp"

#ifdef __x86_64__
// GCC 12 warns of what its own header leaves undefined on purpose.
#pragma GCC diagnostic push
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#define GSX_TARGET_AVX512 \
  __attribute__((         \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,popcnt,bmi,bmi2,lzcnt")))
#define GSX_INLINE_AVX512 GSX_TARGET_AVX512 inline __attribute__((always_inline))

namespace gsx {
namespace {

using Eight = __m512i;  ///< eight numbers of 64 bits

GSX_INLINE_AVX512 Eight all(std::uint64_t value) {
  return _mm512_set1_epi64(static_cast<long long>(value));
}

/// Blocks of rows. For x < 2^32, x / 3 is the upper part of one multiplication.
GSX_INLINE_AVX512 Eight blocks_of(Eight rows) {
  static_assert(QuadBlock::digits == 3 << 5);
  const Eight third = all(0xAAAAAAAB);
  return _mm512_srli_epi64(_mm512_mul_epu32(_mm512_srli_epi64(rows, 5), third), 33);
}

/// Eight blocks, one member in each number.
struct Blocks {
  Eight counts, planes[3];
};
GSX_INLINE_AVX512 Blocks load_blocks(const QuadBlock* blocks, Eight numbers) {
  alignas(64) std::uint64_t at[8];
  _mm512_store_si512(at, numbers);
  const auto load = [&](int k) GSX_TARGET_AVX512 {
    const auto* low = reinterpret_cast<const __m256i*>(blocks + at[k]);
    const auto* high = reinterpret_cast<const __m256i*>(blocks + at[k + 4]);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_load_si256(low)),
                              _mm256_load_si256(high), 1);
  };
  const Eight a = load(0), b = load(1), c = load(2), d = load(3);
  const Eight ab02 = _mm512_unpacklo_epi64(a, b), ab13 = _mm512_unpackhi_epi64(a, b);
  const Eight cd02 = _mm512_unpacklo_epi64(c, d), cd13 = _mm512_unpackhi_epi64(c, d);
  const Eight first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  const Eight second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  return {
      _mm512_permutex2var_epi64(ab02, first, cd02),
      {_mm512_permutex2var_epi64(ab13, first, cd13), _mm512_permutex2var_epi64(ab02, second, cd02),
       _mm512_permutex2var_epi64(ab13, second, cd13)}};
}

struct Ranks {
  Eight rows;      ///< as FmView::lf() gives them
  __mmask8 holds;  ///< whether the row has the code
};

/// Row by row what `ranks` could not know, because the block has holes.
GSX_TARGET_AVX512 __attribute__((noinline)) Ranks rank_slowly(const FmView& fm, Eight rows,
                                                              Eight codes, Ranks ranks,
                                                              __mmask8 which) {
  alignas(64) std::uint64_t row[8], code[8], result[8];
  _mm512_store_si512(row, rows);
  _mm512_store_si512(code, codes);
  _mm512_store_si512(result, ranks.rows);
  unsigned holds = ranks.holds;
  for (unsigned k = 0; k < 8; ++k) {
    if ((which >> k & 1) == 0) continue;
    const auto from = static_cast<std::uint32_t>(row[k]);
    result[k] = fm.lf(static_cast<std::uint32_t>(code[k] & 3), from);
    if (from < fm.rows() && fm.bwt.is_hole(from)) holds &= ~(1u << k);
  }
  return {_mm512_load_si512(result), static_cast<__mmask8>(holds)};
}

/// The rank of the lowest two bits of each code at each row. Pre: rows <= fm.rows().
GSX_INLINE_AVX512 Ranks rank(const FmView& fm, Eight rows, Eight codes) {
  const QuadView& level = fm.bwt.levels[0];
  const Eight numbers = blocks_of(rows);
  const Eight within = _mm512_sub_epi64(rows, _mm512_mul_epu32(numbers, all(QuadBlock::digits)));
  const Blocks blocks = load_blocks(level.blocks, numbers);
  const Eight digits = _mm512_and_si512(codes, all(3));
  const Eight in_counts =
      _mm512_add_epi64(digits, _mm512_slli_epi64(_mm512_srli_epi64(numbers, 8), 2));
  static_assert(QuadSuperblock::blocks == 1 << 8);
  const Eight before_superblock = _mm512_i64gather_epi64(in_counts, level.superblocks, 8);

  // As DigitMatches does it.
  const Eight flip = _mm512_permutexvar_epi64(
      digits,
      _mm512_setr_epi64(-1, static_cast<long long>(0xFFFFFFFF00000000), 0xFFFFFFFF, 0, 0, 0, 0, 0));
  const Eight a = _mm512_xor_si512(blocks.planes[0], flip);
  const Eight b = _mm512_xor_si512(blocks.planes[1], flip);
  const Eight c = _mm512_xor_si512(blocks.planes[2], flip);
  const Eight first = _mm512_or_si512(_mm512_and_si512(a, _mm512_srli_epi64(a, 32)),
                                      _mm512_and_si512(b, _mm512_slli_epi64(b, 32)));
  const Eight second = _mm512_and_si512(c, _mm512_srli_epi64(c, 32));
  const Eight ones = all(~std::uint64_t{0});
  const Eight behind = _mm512_subs_epu16(within, all(64));
  const Eight count = _mm512_add_epi64(
      _mm512_popcnt_epi64(_mm512_andnot_si512(_mm512_sllv_epi64(ones, within), first)),
      _mm512_popcnt_epi64(_mm512_andnot_si512(_mm512_sllv_epi64(ones, behind), second)));
  const Eight shift = _mm512_slli_epi64(digits, 4);
  const Eight before_block =
      _mm512_and_si512(_mm512_srlv_epi64(blocks.counts, shift), all(QuadBlock::count_mask));
  const Eight c_offset = _mm512_permutexvar_epi64(
      digits,
      _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(fm.c_offset))));
  Ranks ranks;
  ranks.rows = _mm512_add_epi64(_mm512_add_epi64(count, before_block),
                                _mm512_add_epi64(before_superblock, c_offset));
  const Eight rest = _mm512_sub_epi64(within, all(64));  // too far to shift if below 0
  ranks.holds = _mm512_test_epi64_mask(
      _mm512_or_si512(_mm512_srlv_epi64(first, within), _mm512_srlv_epi64(second, rest)), all(1));
  const __mmask8 unknown = _mm512_mask_testn_epi64_mask(
      _mm512_test_epi64_mask(blocks.counts, all(QuadBlock::hole_flag)), digits, digits);
  if (unknown != 0) [[unlikely]]
    ranks = rank_slowly(fm, rows, codes, ranks, unknown);
  ranks.rows = _mm512_and_si512(ranks.rows, all(0xFFFFFFFF));  // as a 32-bit position
  return ranks;
}

/// As RowSampling::keeps(). The quotient is exact: a fraction is much further from the next integer
/// than double precision reaches.
GSX_INLINE_AVX512 __mmask8 kept(const RowSampling& sampling, Eight rows) {
  const Eight rate = all(sampling.rate());
  const Eight block =
      _mm512_cvttpd_epu64(_mm512_div_pd(_mm512_cvtepu64_pd(rows), _mm512_set1_pd(sampling.rate())));
  Eight x = _mm512_mul_epu32(block, all(0x9E3779B1));
  x = _mm512_xor_si512(x, _mm512_srli_epi32(x, 15));
  x = _mm512_mul_epu32(x, all(0x85EBCA6B));
  const Eight offset = _mm512_srli_epi64(_mm512_mul_epu32(x, rate), 32);
  return _mm512_cmpeq_epi64_mask(rows, _mm512_add_epi64(_mm512_mul_epu32(block, rate), offset));
}

/// Prefetches what rank() reads of the rows; of row 0 instead of those that are not wanted.
GSX_INLINE_AVX512 void prefetch(const QuadView& level, Eight rows, __mmask8 wanted) {
  alignas(64) std::uint64_t at[8];
  _mm512_store_si512(at, _mm512_maskz_mov_epi64(wanted, blocks_of(rows)));
  for (const std::uint64_t block : at)
    __builtin_prefetch(level.blocks + block);
  if (level.size < far_superblocks) return;
  for (const std::uint64_t block : at)
    __builtin_prefetch(level.superblocks + block / QuadSuperblock::blocks);
}

/// Walks that have taken a step.
struct Stepped {
  Eight begins, ends, codes;
  __m256i tags;
};
GSX_INLINE_AVX512 void store(const Stepped& walks, __mmask8 which, Walks<std::uint32_t>& to) {
  _mm512_storeu_si512(to.codes.data() + to.size, _mm512_maskz_compress_epi64(which, walks.codes));
  const auto put = [&](std::uint32_t* place, __m256i members) GSX_TARGET_AVX512 {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(place + to.size),
                        _mm256_maskz_compress_epi32(which, members));
  };
  put(to.begins.data(), _mm512_cvtepi64_epi32(walks.begins));
  put(to.ends.data(), _mm512_cvtepi64_epi32(walks.ends));
  put(to.tags.data(), walks.tags);
  to.size += static_cast<std::size_t>(__builtin_popcount(which));
}

GSX_INLINE_AVX512 Eight load(const std::uint32_t* numbers, __mmask8 which) {
  return _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(which, numbers));
}
GSX_INLINE_AVX512 __m256i load_tags(const std::uint32_t* tags) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tags));
}
/// Walks that have codes left after the one that they have taken.
GSX_INLINE_AVX512 __mmask8 ready(__m256i tags) {
  return _mm256_test_epi32_mask(tags, _mm256_set1_epi32(0xFF));
}
GSX_INLINE_AVX512 __mmask8 lanes_of(std::size_t left) {
  return static_cast<__mmask8>(left >= 8 ? 0xFF : (1u << left) - 1);
}

}  // namespace

GSX_TARGET_AVX512 void step_rows_of_8(const FmView& fm, Walks<std::uint32_t>& walks,
                                      Walks<std::uint32_t>& leaving) {
  const std::size_t count = walks.size;
  walks.size = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const __mmask8 valid = lanes_of(count - i);
    const Eight codes = _mm512_maskz_loadu_epi64(valid, walks.codes.data() + i);
    const Ranks ranks = rank(fm, load(walks.begins.data() + i, valid), codes);
    const __m256i tags = _mm256_sub_epi32(load_tags(walks.tags.data() + i), _mm256_set1_epi32(1));
    const Stepped stepped{ranks.rows,
                          _mm512_mask_add_epi64(ranks.rows, ranks.holds, ranks.rows, all(1)),
                          _mm512_srli_epi64(codes, 2), tags};
    const __mmask8 stays =
        static_cast<__mmask8>(valid & ranks.holds & ready(tags) & ~kept(fm.sampling, ranks.rows) &
                              _mm512_cmplt_epu64_mask(ranks.rows, all(fm.rows())));
    prefetch(fm.bwt.levels[0], stepped.begins, stays);
    store(stepped, stays, walks);
    store(stepped, static_cast<__mmask8>(valid & ~stays), leaving);
  }
}

GSX_TARGET_AVX512 void step_intervals_of_8(const FmView& fm, Walks<std::uint32_t>& walks,
                                           Walks<std::uint32_t>& leaving) {
  const std::size_t count = walks.size;
  walks.size = 0;
  for (std::size_t i = 0; i < count; i += 8) {
    const __mmask8 valid = lanes_of(count - i);
    const Eight codes = _mm512_maskz_loadu_epi64(valid, walks.codes.data() + i);
    const Eight begins = rank(fm, load(walks.begins.data() + i, valid), codes).rows;
    const Eight ends = rank(fm, load(walks.ends.data() + i, valid), codes).rows;
    const __m256i tags = _mm256_sub_epi32(load_tags(walks.tags.data() + i), _mm256_set1_epi32(1));
    const Stepped stepped{begins, ends, _mm512_srli_epi64(codes, 2), tags};
    const __mmask8 stays = static_cast<__mmask8>(
        valid & ready(tags) & _mm512_cmpgt_epi64_mask(_mm512_sub_epi64(ends, begins), all(1)) &
        _mm512_cmple_epu64_mask(ends, all(fm.rows())));
    prefetch(fm.bwt.levels[0], begins, stays);
    prefetch(fm.bwt.levels[0], ends, stays);
    store(stepped, stays, walks);
    store(stepped, static_cast<__mmask8>(valid & ~stays), leaving);
  }
}

bool has_vector_steps() {
  static const bool has =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512vpopcntdq") != 0 && __builtin_cpu_supports("bmi2") != 0;
  return has;
}

}  // namespace gsx

#else

namespace gsx {

bool has_vector_steps() {
  return false;
}

}  // namespace gsx

#endif
