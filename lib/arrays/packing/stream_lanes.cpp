// Eight values of b bits are b bytes, so the places of a value and its bits are the same in each
// group of eight: a shuffle brings the bytes of each value to a lane, highest first, and two shifts
// take what is not its own.
#include "arrays/packing/stream_lanes.hpp"

#ifdef __x86_64__
#include <immintrin.h>

#include "base/cpu_path.hpp"

#define GSX_INLINE_AVX2 __attribute__((target("popcnt,bmi,bmi2,lzcnt,avx2"), always_inline)) inline

namespace gsx {
namespace {

constexpr unsigned group = PackedArray::slice_unit;

GSX_INLINE_AVX2 __m128i load16(const std::uint8_t* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
GSX_INLINE_AVX2 __m256i load32(const void* from) {
  return _mm256_load_si256(static_cast<const __m256i*>(from));
}
GSX_INLINE_AVX2 __m256i join(__m128i low, __m128i high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/// For lanes of type Lane: where the bytes of values [begin, begin + count) of a group are, counted
/// from the byte of the first of them, and the shifts that bring their first bits to the front.
template <class Lane>
void find_bytes(std::uint32_t bits, unsigned begin, unsigned count, std::uint8_t* bytes,
                Lane* shifts) {
  for (unsigned k = 0; k < count; ++k) {
    const unsigned bit = (begin + k) * bits, byte = bit / 8 - begin * bits / 8;
    shifts[k] = bit % 8;
    for (unsigned j = 0; j < sizeof(Lane); ++j)
      bytes[k * sizeof(Lane) + j] = static_cast<std::uint8_t>(byte + sizeof(Lane) - 1 - j);
  }
}

/// Eight values in lanes of 32 bits. For at most 25 bits, which 4 bytes hold at any place.
struct NarrowLanes {
  using Values = __m256i;
  static constexpr std::uint32_t most_bits = 25;

  GSX_INLINE_AVX2 explicit NarrowLanes(std::uint32_t bits) : half(4 * bits / 8) {
    alignas(32) std::uint8_t bytes[32];
    alignas(32) std::uint32_t shifts[8];
    find_bytes(bits, 0, 4, bytes, shifts);
    find_bytes(bits, 4, 4, bytes + 16, shifts + 4);
    places = load32(bytes);
    left = load32(shifts);
    right = _mm_cvtsi32_si128(static_cast<int>(32 - bits));
  }
  GSX_INLINE_AVX2 __m256i operator()(const std::uint8_t* from) const {
    const __m256i windows = _mm256_shuffle_epi8(join(load16(from), load16(from + half)), places);
    return _mm256_srl_epi32(_mm256_sllv_epi32(windows, left), right);
  }

  __m256i places, left;
  __m128i right;
  std::uint32_t half;  ///< byte of the fifth value
};

/// Eight values in lanes of 64 bits. For at most 57 bits.
struct WideLanes {
  struct Values {
    __m256i low, high;
  };

  GSX_INLINE_AVX2 explicit WideLanes(std::uint32_t bits) {
    alignas(32) std::uint8_t bytes[64];
    alignas(32) std::uint64_t shifts[8];
    for (unsigned pair = 0; pair < 4; ++pair) {
      find_bytes(bits, 2 * pair, 2, bytes + 16 * pair, shifts + 2 * pair);
      starts[pair] = 2 * pair * bits / 8;
    }
    for (unsigned k = 0; k < 2; ++k) {
      places[k] = load32(bytes + 32 * k);
      left[k] = load32(shifts + 4 * k);
    }
    right = _mm_cvtsi32_si128(static_cast<int>(64 - bits));
  }
  GSX_INLINE_AVX2 Values operator()(const std::uint8_t* from) const {
    return {values_of(from, 0), values_of(from, 1)};
  }
  GSX_INLINE_AVX2 __m256i values_of(const std::uint8_t* from, unsigned k) const {
    const __m256i windows = _mm256_shuffle_epi8(
        join(load16(from + starts[2 * k]), load16(from + starts[2 * k + 1])), places[k]);
    return _mm256_srl_epi64(_mm256_sllv_epi64(windows, left[k]), right);
  }

  __m256i places[2], left[2];
  __m128i right;
  std::uint32_t starts[4];  ///< byte of each pair of values
};

GSX_INLINE_AVX2 void store(__m256i values, std::uint32_t* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), values);
}
GSX_INLINE_AVX2 __m128i narrowed(__m256i values) {
  return _mm_packus_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
}
GSX_INLINE_AVX2 void store(__m256i values, std::uint16_t* out) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), narrowed(values));
}
GSX_INLINE_AVX2 void store(__m256i values, std::uint8_t* out) {
  const __m128i narrow = narrowed(values);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_packus_epi16(narrow, narrow));
}
GSX_INLINE_AVX2 void store(const WideLanes::Values& values, std::uint64_t* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), values.low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 4), values.high);
}
GSX_INLINE_AVX2 void store(const WideLanes::Values& values, std::uint32_t* out) {
  const __m256 lower_halves = _mm256_shuffle_ps(_mm256_castsi256_ps(values.low),
                                                _mm256_castsi256_ps(values.high), 0b10'00'10'00);
  store(_mm256_permute4x64_epi64(_mm256_castps_si256(lower_halves), 0b11'01'10'00), out);
}

template <class Lanes, class Value>
GSX_TARGET_AVX2 void unpack_in_lanes(const PackedView& packed, std::uint64_t first,
                                     std::uint64_t count, Value* out) {
  const Lanes lanes(packed.bits);
  const std::uint8_t* from = packed.bytes + first / group * packed.bits;
  for (std::uint64_t i = 0; i < count; i += group, from += packed.bits)
    store(lanes(from), out + i);
}

}  // namespace

template <class Value>
void unpack_groups(const PackedView& packed, std::uint64_t first, std::uint64_t count, Value* out) {
  constexpr bool narrow = sizeof(Value) <= sizeof(std::uint32_t);
  constexpr bool wide = sizeof(Value) >= sizeof(std::uint32_t);
  if constexpr (narrow) {
    if (packed.bits <= NarrowLanes::most_bits)
      return unpack_in_lanes<NarrowLanes>(packed, first, count, out);
  }
  if constexpr (wide) unpack_in_lanes<WideLanes>(packed, first, count, out);
}

}  // namespace gsx

#else

namespace gsx {

/// No other CPU has the path that calls this.
template <class Value>
void unpack_groups(const PackedView&, std::uint64_t, std::uint64_t, Value*) {}

}  // namespace gsx

#endif

namespace gsx {

template void unpack_groups(const PackedView&, std::uint64_t, std::uint64_t, std::uint8_t*);
template void unpack_groups(const PackedView&, std::uint64_t, std::uint64_t, std::uint16_t*);
template void unpack_groups(const PackedView&, std::uint64_t, std::uint64_t, std::uint32_t*);
template void unpack_groups(const PackedView&, std::uint64_t, std::uint64_t, std::uint64_t*);

}  // namespace gsx
