// One strand of a query in a packed stream of codes, for walks on a GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/kmer_view.hpp"
#include "index/fm/pattern_view.hpp"

namespace gsx {

/// Codes [begin, begin + length) of a stream, or their reverse complement. The latter needs codes
/// of 2 bits whose complement is 3 minus the code. Offset is 32 bits wide where that is enough for
/// the stream.
template <class AnyOffset>
struct PackedStrand {
  using Offset = AnyOffset;

  PackedView symbols;
  Offset begin;
  Offset length;
  bool reverse;

  /// Code i of the strand. Pre: i < length. Cost: one load.
  GSX_HD std::uint32_t operator[](Offset i) const {
    return static_cast<std::uint32_t>(reverse ? 3 - symbols[begin + (length - 1 - i)]
                                              : symbols[begin + i]);
  }
  /// As PatternView::number.
  GSX_HD std::uint64_t number(Offset from, std::uint32_t count) const {
    const Offset first = reverse ? begin + (length - from - count) : begin + from;
    const std::uint64_t codes = symbols.window(first) >> (64 - count * symbols.bits);
    return reverse ? reverse_complement(codes, count) : codes;
  }
};
static_assert(std::is_trivially_copyable_v<PackedStrand<std::uint32_t>>);

/// Slot of the k-mer that ends before code `end` of a strand. Pre: 0 < k <= end, no code is outside
/// the alphabet. Cost: one load for as many codes as a number has.
template <class Offset>
GSX_HD std::uint64_t kmer_slot(const KmerView& kmers, const PackedStrand<Offset>& strand,
                               Offset end) {
  const std::uint32_t bits = strand.symbols.bits;
  if (kmers.k > PackedView::max_bits / bits)
    return kmers.slot([&]() -> std::uint32_t { return strand[--end]; });
  std::uint64_t codes = strand.number(end - kmers.k, kmers.k);
  return kmers.slot([&] {
    const auto code = static_cast<std::uint32_t>(codes & ((std::uint64_t{1} << bits) - 1));
    codes >>= bits;
    return code;
  });
}

/// How many of `most` codes from code i of the strand on are those of the text from position p on.
/// Separators are taken for code 0, so none may be in the way. Pre: p + most <= text.size, i + most
/// <= strand.length; both have the same number of bits. Cost: one load of each per 57 bits.
template <class Offset>
GSX_HD Offset common_prefix(const PackedView& text, std::uint64_t p,
                            const PackedStrand<Offset>& strand, Offset i, Offset most) {
  const std::uint32_t a_number = PackedView::max_bits / text.bits;
  for (Offset equal = 0; equal < most;) {
    const std::uint32_t some =
        most - equal < a_number ? static_cast<std::uint32_t>(most - equal) : a_number;
    const std::uint32_t unused = 64 - some * text.bits;
    const std::uint64_t unlike = text.window(p + equal) >> unused ^ strand.number(i + equal, some);
    if (unlike != 0) return equal + (highest_zeros64(unlike) - unused) / text.bits;
    equal += some;
  }
  return most;
}

/// How many codes before code i of the strand equal those before position p of the text, at most
/// `most`. Pre: most <= p, most <= i.
template <class Offset>
GSX_HD Offset common_suffix(const PackedView& text, std::uint64_t p,
                            const PackedStrand<Offset>& strand, Offset i, Offset most) {
  const std::uint32_t a_number = PackedView::max_bits / text.bits;
  for (Offset equal = 0; equal < most;) {
    const std::uint32_t some =
        most - equal < a_number ? static_cast<std::uint32_t>(most - equal) : a_number;
    const std::uint64_t unlike = text.window(p - equal - some) >> (64 - some * text.bits) ^
                                 strand.number(i - equal - some, some);
    if (unlike != 0) return equal + lowest_bit64(unlike) / text.bits;
    equal += some;
  }
  return most;
}

}  // namespace gsx
