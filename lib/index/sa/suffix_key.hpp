// The next symbols of a suffix as one number that compares like the suffix itself.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Keys of suffixes: `symbols` codes, left-aligned in 64 bits, with zeros after the end of the
/// segment. The lowest 6 bits hold the number of codes before the separator, at most `symbols`.
///
/// Keys compare as the suffixes do. After a separator a key has zeros, and code 0 is the smallest
/// code. So where two keys differ only there, the shorter suffix must be the smaller one, and its
/// length makes its key smaller. If two keys are equal, either both suffixes end within the key,
/// and position decides because separators are ordered by position; or they agree on `symbols`
/// codes, and the keys of what follows decide.
/// Example for DNA, 29 codes per key: "ACG$" is 000110, then 52 zero bits, then 000011.
struct SuffixKeys {
  TextView text;
  std::uint32_t symbols = 0;

  static constexpr std::uint32_t length_bits = 6;
  static constexpr std::uint64_t length_mask = (std::uint64_t{1} << length_bits) - 1;

  explicit SuffixKeys(const TextView& view)
      : text(view),
        symbols((view.symbols.bits % 2 == 0 ? 64 - length_bits : PackedView::max_bits) /
                view.symbols.bits) {}

  /// Key at position p of the segment that ends at `separator`. Pre: p <= separator.
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

  /// Whether the suffix of a key ends within the key.
  GSX_HD bool ended(std::uint64_t key) const { return (key & length_mask) < symbols; }
};
static_assert(std::is_trivially_copyable_v<SuffixKeys>);

}  // namespace gsx
