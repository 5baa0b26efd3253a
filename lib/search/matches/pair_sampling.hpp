// Which places of two texts are looked at to find all pairs of matches of some length.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "base/packed.hpp"

namespace gsx {

/// A k-mer of the target is kept for every `target_step`-th place, and one of the query is looked
/// up for every `query_step`-th. The steps have no common divisor, so of `period()` consecutive
/// pairs of places on a diagonal, exactly one is of both kinds. A match of at least
/// period() + kmer - 1 symbols therefore holds a k-mer that is found.
struct PairSampling {
  std::uint32_t kmer;
  std::uint32_t target_step;
  std::uint32_t query_step;

  std::uint32_t period() const { return target_step * query_step; }
  /// The longest k-mer of symbols of so many bits: what two loads give.
  GSX_HD static std::uint32_t longest_kmer(std::uint32_t bits) {
    return 2 * (PackedView::max_bits / bits);
  }
};

/// The sampling that takes the least time for matches of at least `min_length` symbols of `bits`
/// bits, in a target of so many. At most `most_samples` places of the target are kept, if that is
/// possible at all. Pre: min_length > 0, bits > 0.
PairSampling pair_sampling(std::uint64_t min_length, std::uint32_t bits,
                           std::uint64_t target_symbols, std::uint64_t most_samples);

}  // namespace gsx
