// How much the suffix at each position has in common with any other suffix, on either strand.
#pragma once

#include <cstdint>
#include <optional>

#include "index/lcp/small_numbers.hpp"

namespace gsx {

/// For each position p of a text of n symbols, the most symbols that its suffix has in common
///   left     with the nearest suffix of the forward strand above it in the suffix array: so p is
///            the first place of its k-mer, in that order, for all k that are larger;
///   forward  with any other suffix of the forward strand: for larger k, p is the only place of its
///            k-mer there;
///   reverse  with any suffix of the reverse strand: for larger k, its k-mer is not there.
/// Memory: 1.03 bytes per symbol each, and 4 or 8 bytes for each number of 255 and more.
struct SharedLengths {
  SmallNumbers left;
  SmallNumbers forward;
  std::optional<SmallNumbers> reverse;  ///< none if there is only one strand

  /// Bytes for so many positions, without the numbers of 255 and more.
  static std::uint64_t bytes(std::uint64_t positions, bool both_strands) {
    return (positions + positions / 32) * (both_strands ? 3 : 2);
  }
};

}  // namespace gsx
