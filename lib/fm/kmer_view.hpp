// The intervals of all k-mers: where a backward search may start, k symbols deep.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "fm/interval.hpp"

namespace gsx {

/// The suffix array interval of every word of k codes, by one memory access instead of k LF steps.
///
/// The k-mers that differ in their last symbol only have intervals without gaps between them, in
/// code order, because nothing sorts between u c and u (c + 1) but what starts with u c. So a group
/// of sigma k-mers is sigma + 1 bounds, and k-mer u c, u read as a number in base sigma, is the
/// rows from bounds[u (sigma + 1) + c] to the bound after it. Between groups lie the rows of
/// suffixes shorter than k, which belong to no k-mer. A bound is the number of suffixes before it,
/// so k-mers that do not occur have bounds too, equal ones, and bounds ascend.
/// Price: (sigma + 1) / sigma * bits_for(n) bits a k-mer, 1.25 numbers each for DNA; both bounds of
/// a k-mer lie in 16 bytes. With k = 0 there is one bound, 0, and no k-mer.
/// Example: the suffixes of AC$CA$ are, sorted, $ $ A$ AC$ C$ CA$. For k = 2 the group of A is
/// 3 3 4 4 4 (AA none, AC row 3; row 2, A$, belongs to no 2-mer) and that of C is 5 6 6 6 6.
struct KmerView {
  static constexpr std::uint32_t max_k = 12;
  static constexpr std::uint64_t max_kmers = std::uint64_t{1} << 24;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  PackedView bounds;
  std::uint32_t k = 0;
  std::uint32_t sigma = 0;

  /// Place of a k-mer's first bound, or `none` if next_code() gave a code not below sigma.
  /// next_code() is called k times, or until then, for the codes from the last to the first, the
  /// order in which backward search takes them. Pre: k > 0.
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
  /// Interval of the k-mer whose first bound is at `slot`. What an index file says is not checked
  /// here: begin and end may be anything below 2^bounds.bits.
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
