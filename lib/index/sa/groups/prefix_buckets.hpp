// Suffixes in buckets by their first symbols.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/parallel.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

/// Buckets of suffixes whose keys agree in the leading `bits` bits: bucket b is rows
/// [starts[b], starts[b + 1]).
struct PrefixBuckets {
  std::vector<std::uint64_t> starts;

  std::uint64_t count() const { return starts.size() - 1; }

  /// Leading bits for n suffixes; at least two symbols.
  static int bits_for_length(std::uint64_t n, std::uint32_t symbol_bits) {
    return std::clamp(bit_length(n) - sa_tuning::bucket_size_bits,
                      2 * static_cast<int>(symbol_bits), sa_tuning::most_bucket_bits);
  }
};

/// Writes the positions that for_each(slice, visit) visits with visit(position, prefix) into
/// `rows`, bucket after bucket, in text order within each bucket. Reads a text of `length` symbols
/// twice, on all threads.
template <class Pos, class ForEach>
PrefixBuckets distribute_by_prefix(std::uint64_t length, int bits, Pos* rows, int threads,
                                   const ForEach& for_each) {
  const std::uint64_t buckets = std::uint64_t{1} << bits;
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<Pos> next(slices * buckets, 0);
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    Pos* counts = &next[s * buckets];
    for_each(slice_of(length, slices, s, 1024),
             [&](std::uint64_t, std::uint64_t prefix) { ++counts[prefix]; });
  });
  PrefixBuckets made{std::vector<std::uint64_t>(buckets + 1, 0)};
  std::uint64_t total = 0;
  for (std::uint64_t b = 0; b < buckets; ++b) {
    for (std::uint64_t s = 0; s < slices; ++s)
      total += std::exchange(next[s * buckets + b], static_cast<Pos>(total));
    made.starts[b + 1] = total;
  }
  parallel_for(threads, slices, [&](std::uint64_t s, int) {
    Pos* row = &next[s * buckets];
    for_each(slice_of(length, slices, s, 1024), [&](std::uint64_t p, std::uint64_t prefix) {
      rows[row[prefix]++] = static_cast<Pos>(p);
    });
  });
  return made;
}

}  // namespace gsx
