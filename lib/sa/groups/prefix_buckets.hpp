// Suffixes put into buckets by their first symbols.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {

/// Buckets of suffixes that agree in the leading `bits` bits of their keys: bucket b is rows
/// [starts[b], starts[b + 1]).
struct PrefixBuckets {
  int bits = 0;
  std::vector<std::uint64_t> starts;

  std::uint64_t count() const { return starts.size() - 1; }

  /// Leading bits for n suffixes: buckets of about 2^12 suffixes are sorted in a core's cache; more
  /// than 2^16 of them would make the scattered writes miss it. Never less than two symbols.
  static int bits_for_length(std::uint64_t n, std::uint32_t symbol_bits) {
    return std::clamp(bit_length(n) - 12, 2 * static_cast<int>(symbol_bits), 16);
  }
};

/// Makes the buckets of all suffixes that counted(slice, visit) visits, behind row `first_row`, and
/// writes those that written(slice, visit) visits, at most the same ones, to the first rows of
/// their buckets, in text order.
template <class Pos, class Counted, class Written>
PrefixBuckets distribute(std::uint64_t length, int bits, std::uint64_t first_row, Pos* rows,
                         int threads, const Counted& counted, const Written& written) {
  const std::uint64_t buckets = std::uint64_t{1} << bits;
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<Pos> next(slices * buckets, 0);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    Pos* counts = &next[s * buckets];
    counted(slice_of(length, slices, s, 1024),
            [&](std::uint64_t, std::uint64_t prefix) { ++counts[prefix]; });
  });
  PrefixBuckets made{bits, std::vector<std::uint64_t>(buckets + 1, first_row)};
  std::uint64_t total = first_row;
  for (std::uint64_t b = 0; b < buckets; ++b) {
    for (std::uint64_t s = 0; s < slices; ++s)
      total += std::exchange(next[s * buckets + b], static_cast<Pos>(total));
    made.starts[b + 1] = total;
  }
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    Pos* row = &next[s * buckets];
    written(slice_of(length, slices, s, 1024), [&](std::uint64_t p, std::uint64_t prefix) {
      rows[row[prefix]++] = static_cast<Pos>(p);
    });
  });
  return made;
}

}  // namespace gsx
