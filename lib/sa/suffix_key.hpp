// The next symbols of a suffix as one number that compares like the suffix itself.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Keys of suffixes: `symbols` codes, left-aligned in 64 bits, zeros behind the segment's end, and
/// in the lowest 6 bits how many codes there are before the separator, at most `symbols`.
///
/// Keys compare as the suffixes do. Zeros stand in for what follows a separator, and code 0 is the
/// smallest code; so of two keys that differ only there the shorter one must be, and is, smaller.
/// Equal keys are either both ended (then position decides, because separators are ordered by
/// position) or agree on `symbols` codes and are compared further on.
/// Example for DNA, 29 codes a key: "ACG$" is 000110 followed by 52 zero bits, then 000011.
struct SuffixKeys {
  TextView text;
  std::uint32_t symbols = 0;

  static constexpr std::uint32_t length_bits = 6;
  static constexpr std::uint64_t length_mask = (std::uint64_t{1} << length_bits) - 1;

  explicit SuffixKeys(const TextView& view)
      : text(view),
        symbols((view.symbols.bits % 2 == 0 ? 64 - length_bits : PackedView::max_bits) /
                view.symbols.bits) {}

  /// Key at position p, whose segment's separator is at `separator`. Pre: p <= separator.
  GSX_HD std::uint64_t at(std::uint64_t p, std::uint64_t separator) const {
    const std::uint64_t left = separator - p;
    const std::uint32_t count = left < symbols ? static_cast<std::uint32_t>(left) : symbols;
    if (count == 0) return 0;
    const std::uint32_t unused = 64 - count * text.symbols.bits;
    return (text.symbols.window(p) >> unused << unused) | count;
  }
  /// Key at position p. Pre: p < text.length(). Cost: one load from the text, two or three from
  /// the segment tables.
  GSX_HD std::uint64_t at(std::uint64_t p) const { return at(p, text.segments.separator_from(p)); }

  /// Whether a key reaches its segment's end.
  GSX_HD bool ended(std::uint64_t key) const { return (key & length_mask) < symbols; }
};
static_assert(std::is_trivially_copyable_v<SuffixKeys>);

}  // namespace gsx
