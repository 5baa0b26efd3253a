// How far a strand of a query and the text agree, to the right and to the left.
#pragma once

#include <cstdint>

#include "base/base_packing.hpp"
#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/kmer_view.hpp"
#include "index/fm/pattern_view.hpp"
#include "search/exact/strand_codes.hpp"

namespace gsx {

/// Slot of the k-mer that ends before code `end` of a strand. Pre: k <= end, no code is outside the
/// alphabet.
GSX_HD std::uint64_t kmer_slot(const KmerView& kmers, const StrandCodes& strand,
                               std::uint64_t end) {
  return kmers.slot([&]() -> std::uint32_t { return strand[--end]; });
}

/// Bases [i, i + 32) of a strand as one number, the first base in the highest bits. Pre: they are
/// below 4, i + 32 <= strand.length.
inline __attribute__((always_inline)) std::uint64_t strand_bases(const StrandCodes& strand,
                                                                 std::uint64_t i) {
  if (!strand.reverse) return pack_32_bases(strand.codes + i);
  return reverse_complement(pack_32_bases(strand.codes + (strand.length - i - 32)), 32);
}

/// The 32 bases of a text from position p on, as strand_bases() has them.
GSX_HD std::uint64_t text_bases(const PackedView& text, std::uint64_t p) {
  return (text.window(p) >> 32) << 32 | text.window(p + 16) >> 32;
}

/// How many of `most` codes from code i of the strand on are those of the text from position p on.
/// Separators are taken for code 0, so none may be in the way. Pre: p + most <= text.size, i + most
/// <= strand.length, no code of the strand is outside the alphabet. Cost: two loads of each per 32
/// bases, or one per 57 bits of text.
inline __attribute__((always_inline)) std::uint64_t common_prefix(const PackedView& text,
                                                                  std::uint64_t p,
                                                                  const StrandCodes& strand,
                                                                  std::uint64_t i,
                                                                  std::uint64_t most) {
  std::uint64_t equal = 0;
  if (text.bits == 2) {
    for (; equal + 32 <= most; equal += 32) {
      const std::uint64_t unlike = text_bases(text, p + equal) ^ strand_bases(strand, i + equal);
      if (unlike != 0) return equal + highest_zeros64(unlike) / 2;
    }
    for (; equal + 8 <= most; equal += 8) {
      const std::uint64_t unlike =
          text.window(p + equal) >> 48 ^ pack_eight(strand.eight(i + equal));
      if (unlike != 0) return equal + (highest_zeros64(unlike) - 48) / 2;
    }
  }
  const std::uint64_t a_window = PackedView::max_bits / text.bits;
  while (equal < most) {
    std::uint64_t window = text.window(p + equal);
    const std::uint64_t end = most - equal < a_window ? most : equal + a_window;
    for (; equal < end; ++equal) {
      if (window >> (64 - text.bits) != strand[i + equal]) return equal;
      window <<= text.bits;
    }
  }
  return equal;
}

/// How many codes before code i of the strand equal those before position p of the text, at most
/// `most`. Pre: most <= p, most <= i. Cost: one load of each per 8 bases, or one per symbol.
GSX_HD std::uint64_t common_suffix(const PackedView& text, std::uint64_t p,
                                   const StrandCodes& strand, std::uint64_t i, std::uint64_t most) {
  std::uint64_t equal = 0;
  if (text.bits == 2) {
    for (; equal + 8 <= most; equal += 8) {
      const std::uint64_t unlike =
          text.window(p - equal - 8) >> 48 ^ pack_eight(strand.eight(i - equal - 8));
      if (unlike != 0) return equal + lowest_bit64(unlike) / 2;
    }
  }
  while (equal < most && text[p - equal - 1] == strand[i - equal - 1])
    ++equal;
  return equal;
}

}  // namespace gsx
