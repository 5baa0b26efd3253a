// How far two packed texts agree from two places on, along a diagonal or an anti-diagonal.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/pattern_view.hpp"

namespace gsx {

/// How many of `most` symbols from a[p] on are those from b[q] on. Separators are taken for code 0.
/// Pre: both have as many bits per symbol; p + most <= a.size, q + most <= b.size. Cost: a load of
/// each per 57 bits.
GSX_HD std::uint64_t common_ahead(const PackedView& a, std::uint64_t p, const PackedView& b,
                                  std::uint64_t q, std::uint64_t most) {
  const std::uint32_t per = PackedView::max_bits / a.bits, unused = 64 - per * a.bits;
  for (std::uint64_t equal = 0; equal < most; equal += per) {
    const std::uint64_t unlike = (a.window(p + equal) ^ b.window(q + equal)) >> unused;
    if (unlike == 0) continue;
    equal += (highest_zeros64(unlike) - unused) / a.bits;
    return equal < most ? equal : most;
  }
  return most;
}

/// The same of the symbols before a[p] and before b[q]. Pre: most <= p, most <= q.
GSX_HD std::uint64_t common_behind(const PackedView& a, std::uint64_t p, const PackedView& b,
                                   std::uint64_t q, std::uint64_t most) {
  const std::uint64_t per = PackedView::max_bits / a.bits;
  for (std::uint64_t equal = 0; equal < most;) {
    const std::uint64_t some = most - equal < per ? most - equal : per;
    const std::uint64_t unlike =
        (a.window(p - equal - some) ^ b.window(q - equal - some)) >> (64 - some * a.bits);
    if (unlike != 0) return equal + lowest_bit64(unlike) / a.bits;
    equal += some;
  }
  return most;
}

/// How many of `most` bases before a[p], read backwards, are the complements of those from b[q] on.
/// Pre: both have 2 bits per symbol; most <= p, q + most <= b.size.
GSX_HD std::uint64_t common_turned(const PackedView& a, std::uint64_t p, const PackedView& b,
                                   std::uint64_t q, std::uint64_t most) {
  constexpr std::uint32_t per = PackedView::max_bits / 2;
  for (std::uint64_t equal = 0; equal < most;) {
    const auto some = static_cast<std::uint32_t>(most - equal < per ? most - equal : per);
    const std::uint64_t before = a.window(p - equal - some) >> (64 - 2 * some);
    const std::uint64_t unlike =
        reverse_complement(before, some) ^ b.window(q + equal) >> (64 - 2 * some);
    if (unlike != 0) return equal + (highest_zeros64(unlike) - (64 - 2 * some)) / 2;
    equal += some;
  }
  return most;
}

}  // namespace gsx
