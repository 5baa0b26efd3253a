#include "search/edits/stripes.hpp"

#include <cstring>

#include "search/edits/stripe_words.hpp"

namespace gsx {
namespace {

/// Transposes 64 x 64 bits in each of the numbers of the words: bit r of rows[k] becomes bit k of
/// rows[r] (Warren, Hacker's Delight, section 7-3).
template <class Word>
GSX_HD void transpose_bits(Word* rows) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (std::uint32_t step = 32; step != 0; step >>= 1, mask ^= mask << step) {
    for (std::uint32_t k = 0; k < 64; k = (k + step + 1) & ~step) {
      const Word other = ((rows[k] >> step) ^ rows[k + step]) & (Word{} + mask);
      rows[k + step] ^= other;
      rows[k] ^= other << step;
    }
  }
}

/// Where the planes go, and the text that they are made of.
struct StripeJob {
  const TextView& text;
  std::uint64_t first, width;
  std::uint32_t used;
  std::uint8_t* planes;
  std::size_t plane_bytes;
};

/// Makes 32 words of each plane, from word `at` on.
template <class Word>
GSX_HD void make_words(const StripeJob& job, std::size_t at) {
  constexpr std::size_t numbers = sizeof(Word) / 8;
  Word rows[64];
  for (std::size_t s = 0; s < numbers * 64; ++s) {
    const std::uint64_t position = job.first + s * job.width + at;  // and `lead` more
    std::uint64_t packed = 0;
    if (position < Stripes::lead) {  // it begins before the text
      std::memcpy(&packed, job.text.symbols.bytes, sizeof packed);
      packed = position == 0 ? 0 : packed << (Stripes::lead - position) * 2;
    } else if (position - Stripes::lead < job.text.length()) {
      std::memcpy(&packed, job.text.symbols.bytes + (position - Stripes::lead) / 4, sizeof packed);
    }
    reinterpret_cast<std::uint64_t*>(&rows[s % 64])[s / 64] = packed;
  }
  transpose_bits(rows);
  for (std::size_t c = 0; c < 32; ++c) {
    // The first symbol of a byte is in its highest bits.
    const Word& high = rows[c / 4 * 8 + 7 - c % 4 * 2];
    const Word& low = rows[c / 4 * 8 + 6 - c % 4 * 2];
    const Word bases[4] = {~(high | low), low & ~high, high & ~low, high & low};
    std::uint8_t* const to = job.planes + (at + c) * sizeof(Word);
    for (std::uint32_t set = 0; set < 16; ++set) {
      if ((job.used >> set & 1) == 0) continue;
      Word all{};
      for (std::uint32_t code = 0; code < 4; ++code)
        if (has_base(static_cast<BaseSet>(set), code)) all |= bases[code];
      store_lanes(to + set * job.plane_bytes, all);
    }
  }
}

template <class Word>
GSX_HD void make_planes(const StripeJob& job) {
  for (std::size_t at = 0; at < Stripes::lead + job.width; at += 32)
    make_words<Word>(job, at);
}

void make_planes_128(const StripeJob& job) {
  make_planes<PlainStripeWord<BaselineLanes>::Word>(job);
}
#ifdef __x86_64__
GSX_TARGET_AVX2 void make_planes_256(const StripeJob& job) {
  make_planes<PlainStripeWord<Avx2Lanes>::Word>(job);
}
GSX_TARGET_STRIPES512 void make_planes_512(const StripeJob& job) {
  make_planes<Avx512StripeWord::Word>(job);
}

bool has_stripes512() {
  static const bool has =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  return has;
}
#endif

}  // namespace

StripePath stripe_path(CpuPath path) {
#ifdef __x86_64__
  if (path == CpuPath::avx2) return has_stripes512() ? StripePath::avx512 : StripePath::avx2;
#endif
  static_cast<void>(path);
  return StripePath::baseline;
}

Stripes::Stripes(const TextView& text, StripePath path, std::uint64_t most_width)
    : text_(text),
      path_(path),
      // Not a multiple of a page, so that planes do not share sets of a cache.
      plane_bytes_((lead + most_width) * (stripes_of(path) / 8) + 320),
      planes_(plane_bytes_ * 16, "planes of a text") {}

void Stripes::load(std::uint64_t first, std::uint64_t width, std::uint32_t used) {
  first_ = first;
  width_ = width;
  const StripeJob job{text_, first, width, used, planes_.data(), plane_bytes_};
#ifdef __x86_64__
  if (path_ == StripePath::avx512) return make_planes_512(job);
  if (path_ == StripePath::avx2) return make_planes_256(job);
#endif
  make_planes_128(job);
}

}  // namespace gsx
