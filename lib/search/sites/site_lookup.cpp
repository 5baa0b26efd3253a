#include "search/sites/site_lookup.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace gsx {
namespace {

using site_detail::Wanted;

/// Adds the neighbours that differ from `mask` in bases [position, bases) only.
void add_neighbours(std::uint32_t mask, std::uint32_t changed, std::uint32_t position,
                    std::uint32_t bases, std::uint32_t most, std::vector<std::uint32_t>& all) {
  if (position == bases) {
    all.push_back(mask | changed << 28);
    return;
  }
  for (std::uint32_t change = 0; change < 4; ++change) {
    if (change != 0 && changed == most) return;
    add_neighbours(mask << 2 | change, changed + (change != 0 ? 1 : 0), position + 1, bases, most,
                   all);
  }
}

std::uint32_t set_bits(std::uint32_t x) {
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);  // of bits at even places only
  x = (x + (x >> 4)) & 0x0F0F0F0F;
  return x * 0x01010101 >> 24;
}

/// Whether the table of the other half has the site.
bool is_in_other_half(std::uint32_t different, const Wanted& wanted) {
  return wanted.first_mask != 0 && set_bits(different & wanted.first_mask) <= wanted.first_more;
}

std::size_t compare_baseline(const std::uint32_t* rest, std::uint32_t begin, std::uint32_t end,
                             const Wanted& wanted, NearSite* found) {
  std::size_t count = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    const std::uint32_t different = differing_bases(rest[i], wanted.rest);
    const std::uint32_t mismatches = wanted.changed + set_bits(different);
    if (mismatches > wanted.most || is_in_other_half(different, wanted)) continue;
    found[count++] = {i, mismatches};
  }
  return count;
}

#ifdef __x86_64__
GSX_TARGET_AVX2 std::size_t compare_avx2(const std::uint32_t* rest, std::uint32_t begin,
                                         std::uint32_t end, const Wanted& wanted, NearSite* found) {
  const __m256i sought = _mm256_set1_epi32(static_cast<int>(wanted.rest));
  const __m256i low_bits = _mm256_set1_epi8(0x55);
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i bits_of =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i too_many = _mm256_set1_epi32(static_cast<int>(wanted.most - wanted.changed) + 1);
  std::size_t count = 0;
  for (std::uint32_t i = begin; i < end; i += 8) {
    const __m256i x =
        _mm256_xor_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(rest + i)), sought);
    const __m256i different =
        _mm256_and_si256(_mm256_or_si256(x, _mm256_srli_epi32(x, 1)), low_bits);
    // Differing bases are counted per byte, where no sum carries into the next, then per 32 bits.
    const __m256i bytes =
        _mm256_shuffle_epi8(bits_of, _mm256_and_si256(different, nibble)) +
        _mm256_shuffle_epi8(bits_of, _mm256_and_si256(_mm256_srli_epi32(different, 4), nibble));
    const __m256i sums =
        _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
    auto near = static_cast<std::uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(too_many, sums))));
    if (end - i < 8) near &= (1u << (end - i)) - 1;
    for (; near != 0; near &= near - 1) {
      const std::uint32_t index = i + static_cast<std::uint32_t>(__builtin_ctz(near));
      const std::uint32_t at = differing_bases(rest[index], wanted.rest);
      if (is_in_other_half(at, wanted)) continue;
      found[count++] = {index, wanted.changed + static_cast<std::uint32_t>(__builtin_popcount(at))};
    }
  }
  return count;
}
#endif

}  // namespace

Neighbours::Neighbours(std::uint32_t bases, std::uint32_t mismatches) {
  add_neighbours(0, 0, 0, bases, mismatches, all_);
}

std::uint64_t Neighbours::count(std::uint32_t bases, std::uint32_t mismatches) {
  std::uint64_t all = 0, ways = 1;
  for (std::uint32_t changed = 0; changed <= std::min(mismatches, bases); ++changed) {
    all += ways;
    ways = ways * 3 * (bases - changed) / (changed + 1);
  }
  return all;
}

site_detail::Compare site_detail::compare_for(CpuPath path) {
#ifdef __x86_64__
  if (path == CpuPath::avx2) return compare_avx2;
#endif
  static_cast<void>(path);
  return compare_baseline;
}

}  // namespace gsx
