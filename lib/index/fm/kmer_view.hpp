// The intervals of all k-mers: backward search may start here, k symbols deep.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/interval.hpp"

namespace gsx {

/// Gives the suffix array interval of every word of k codes with one memory access instead of k LF
/// steps.
///
/// k-mers that differ only in their last symbol have adjacent intervals, in code order: only
/// suffixes that start with u c sort between u c and u (c + 1). So sigma + 1 bounds describe a
/// group of sigma k-mers. k-mer u c, with u read as a number in base sigma, is the rows from
/// bounds[u (sigma + 1) + c] to the next bound. Between groups lie the rows of suffixes shorter
/// than k, which belong to no k-mer. A bound is the number of suffixes before it; k-mers that do
/// not occur have two equal bounds, and bounds ascend.
/// Memory: (sigma + 1) / sigma * bits_for(n) bits per k-mer, for DNA 1.25 numbers; both bounds of a
/// k-mer lie within 16 bytes. With k = 0 there is one bound, 0, and no k-mer.
/// Example: the suffixes of AC$CA$ are, sorted, $ $ A$ AC$ C$ CA$. For k = 2 the group of A is 3 3
/// 4 4 4 (no AA; AC is row 3; row 2, A$, belongs to no 2-mer) and that of C is 5 6 6 6 6.
struct KmerView {
  static constexpr std::uint32_t max_k = 12;
  static constexpr std::uint64_t max_kmers = std::uint64_t{1} << 24;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  PackedView bounds;
  std::uint32_t k = 0;
  std::uint32_t sigma = 0;

  /// Index of the first bound of a k-mer, or `none` if next_code() gives a code that is not below
  /// sigma. Calls next_code() k times, or until then, for the codes from the last to the first: the
  /// order of backward search. Pre: k > 0.
  template <class NextCode>
  GSX_HD std::uint64_t slot(NextCode&& next_code) const {
    std::uint64_t place = 0, weight = 1;
    for (std::uint32_t i = 0; i < k; ++i) {
      const std::uint32_t code = next_code();
      if (code >= sigma) return none;
      place += code * weight;
      weight *= i == 0 ? sigma + 1 : sigma;
    }
    return place;
  }
  /// Interval of the k-mer whose first bound is at `slot`. Does not check what an index file says:
  /// begin and end may be anything below 2^bounds.bits.
  template <class Pos>
  GSX_HD Interval<Pos> interval(std::uint64_t slot) const {
    return {static_cast<Pos>(bounds[slot]), static_cast<Pos>(bounds[slot + 1])};
  }
  /// The byte in which that interval begins, for prefetching.
  GSX_HD const std::uint8_t* address(std::uint64_t slot) const {
    return bounds.bytes + (slot * bounds.bits >> 3);
  }
};
static_assert(std::is_trivially_copyable_v<KmerView>);

}  // namespace gsx
