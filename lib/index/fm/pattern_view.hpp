// One strand of a packed pattern, for backward search and for comparison with the text.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "text/packed_bases.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// A pattern in a packed stream of codes, as given or as its reverse complement. The latter needs
/// codes of 2 bits whose complement is 3 minus the code.
struct PatternView {
  PackedView symbols;
  std::uint64_t begin = 0;  ///< where the pattern begins in the stream
  std::uint64_t length = 0;
  bool reverse = false;

  /// The code that backward search takes after `taken` others; it takes the strand from its last
  /// code to its first. Pre: taken < length. Cost: one load.
  GSX_HD std::uint32_t code(std::uint64_t taken) const {
    return static_cast<std::uint32_t>(reverse ? 3 - symbols[begin + taken]
                                              : symbols[begin + length - 1 - taken]);
  }

  /// Codes [from, from + count) of the strand as one number, the last code in the lowest bits. Pre:
  /// 1 <= count <= codes_a_number(), from + count <= length. Cost: one load.
  GSX_HD std::uint64_t number(std::uint64_t from, std::uint32_t count) const {
    const std::uint64_t first = reverse ? begin + length - from - count : begin + from;
    const std::uint64_t codes = symbols.window(first) >> (64 - count * symbols.bits);
    return reverse ? reverse_complement(codes, count) : codes;
  }
  /// The first `count` symbols of the strand. Pre: count <= length.
  GSX_HD PatternView prefix(std::uint64_t count) const {
    return {symbols, reverse ? begin + length - count : begin, count, reverse};
  }
  GSX_HD std::uint32_t codes_a_number() const { return PackedView::max_bits / symbols.bits; }
};
static_assert(std::is_trivially_copyable_v<PatternView>);

/// Whether the strand occurs at text position p, without a separator among its symbols. Pre: both
/// use the same number of bits, strand.length > 0. Cost: one load of each per 57 bits until they
/// differ, and for a match a look-up in the segment table.
GSX_HD bool matches_at(const TextView& text, std::uint64_t p, const PatternView& strand) {
  if (p >= text.length() || strand.length > text.length() - p) return false;
  const std::uint32_t most = strand.codes_a_number();
  for (std::uint64_t done = 0; done < strand.length;) {
    const std::uint64_t left = strand.length - done;
    const auto some = static_cast<std::uint32_t>(left < most ? left : most);
    const std::uint64_t found = text.symbols.window(p + done) >> (64 - some * text.symbols.bits);
    if (found != strand.number(done, some)) return false;
    done += some;
  }
  // A separator is stored as code 0, so it may have matched.
  return text.segments.separator_from(p) >= p + strand.length;
}

}  // namespace gsx
