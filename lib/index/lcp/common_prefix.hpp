// How many symbols two suffixes of a text have in common.
#pragma once

#include <cstdint>

#include "base/bits.hpp"
#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Symbols that one load of a packed text compares: 29 bases, 7 bytes.
GSX_HD std::uint32_t symbols_at_once(std::uint32_t bits) {
  return (bits % 2 == 0 ? 58 : PackedView::max_bits) / bits;
}

/// How many of `most` symbols from positions p and q on are equal, `known` of which are. Separators
/// count as code 0, so none may be in the way. Pre: known <= most, p + most <= symbols.size, and
/// the same for q. Cost: one load of each per symbols_at_once().
GSX_HD std::uint64_t common_symbols(const PackedView& symbols, std::uint64_t p, std::uint64_t q,
                                    std::uint64_t known, std::uint64_t most) {
  const std::uint32_t at_once = symbols_at_once(symbols.bits);
  const std::uint32_t unused = 64 - at_once * symbols.bits;
  for (std::uint64_t equal = known; equal < most; equal += at_once) {
    const std::uint64_t unlike =
        (symbols.window(p + equal) ^ symbols.window(q + equal)) >> unused << unused;
    if (unlike == 0) continue;
    const std::uint64_t found = equal + highest_zeros64(unlike) / symbols.bits;
    return found < most ? found : most;
  }
  return most;
}

/// How many of `most` symbols right before positions p and q are equal, counted from there. No
/// separator may be among them. Cost: one load of each per symbols_at_once().
GSX_HD std::uint64_t common_symbols_before(const PackedView& symbols, std::uint64_t p,
                                           std::uint64_t q, std::uint64_t most) {
  const std::uint32_t at_once = symbols_at_once(symbols.bits);
  for (std::uint64_t equal = 0; equal < most;) {
    const std::uint64_t left = most - equal;
    const std::uint32_t count = left < at_once ? static_cast<std::uint32_t>(left) : at_once;
    equal += count;
    const std::uint64_t unlike =
        (symbols.window(p - equal) ^ symbols.window(q - equal)) >> (64 - count * symbols.bits);
    if (unlike != 0) return equal - count + lowest_bit64(unlike) / symbols.bits;
  }
  return most;
}

/// A suffix whose segment is known, so that comparing it needs no other table.
struct BoundedSuffix {
  std::uint64_t position = 0;
  std::uint64_t length = 0;  ///< symbols before the separator of its segment

  BoundedSuffix() = default;
  /// Cost: two or three loads from the segment tables.
  GSX_HD BoundedSuffix(const TextView& text, std::uint64_t p)
      : position(p), length(text.segments.separator_from(p) - p) {}

  /// Length of the longest common prefix with another suffix, or `cap` if that is less. Separators
  /// are all different, so no prefix holds one. `known` symbols must agree.
  GSX_HD std::uint64_t common_prefix(const PackedView& symbols, const BoundedSuffix& other,
                                     std::uint64_t known, std::uint64_t cap) const {
    std::uint64_t most = length < other.length ? length : other.length;
    if (cap < most) most = cap;
    return common_symbols(symbols, position, other.position, known < most ? known : most, most);
  }
};

/// Length of the longest common prefix of the suffixes at p and q. Cost: one load of each per
/// symbols_at_once().
GSX_HD std::uint64_t common_prefix(const TextView& text, std::uint64_t p, std::uint64_t q) {
  const BoundedSuffix a(text, p);
  return a.common_prefix(text.symbols, BoundedSuffix(text, q), 0, a.length);
}

}  // namespace gsx
