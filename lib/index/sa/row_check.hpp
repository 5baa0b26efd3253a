// Checking a suffix array row by row, given its inverse.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// An array is the suffix array of a text if and only if three facts hold: it is a permutation; the
/// rows of separators are in position order; and each other row is smaller than the next one, by
/// its first symbol or, if these are equal, by the row of the suffix that is one symbol shorter
/// (Burkhardt and Kärkkäinen, 2003).
///
/// How to check: fill `inverse` with `unset`; set inverse[rows[row]] = row for every row for which
/// may_hold() is true; then test is_taken() for every position, and comes_before() for every two
/// neighbouring rows after those of the separators. As long as no test has failed, every access is
/// valid; after a failure no access leaves the arrays, and the answers no longer matter.
template <class Pos>
struct RowCheck {
  TextView text;
  const Pos* rows;
  Pos* inverse;

  static constexpr Pos unset = static_cast<Pos>(~Pos{0});

  /// Whether the entry of a row is a position and, in the row of a separator, that separator.
  GSX_HD bool may_hold(std::uint64_t row) const {
    if (row < text.segments.count) return rows[row] == text.segments.starts[row + 1] - 1;
    return rows[row] < text.length();
  }
  /// Whether a row holds this position. n entries that leave out no position are a permutation.
  GSX_HD bool is_taken(std::uint64_t position) const { return inverse[position] != unset; }

  /// What decides the order of a row.
  struct Key {
    std::uint32_t symbol;
    Pos rest;  ///< the row of the suffix that is one symbol shorter
  };
  /// Pre: the row is not that of a separator.
  GSX_HD Key key(std::uint64_t row) const {
    const std::uint64_t p = rows[row];
    // The last position holds a separator, so this one is out of place.
    if (p >= text.length() - 1) return {0, 0};
    return {static_cast<std::uint32_t>(text.symbols[p]), inverse[p + 1]};
  }
  GSX_HD static bool comes_before(const Key& a, const Key& b) {
    return a.symbol != b.symbol ? a.symbol < b.symbol : a.rest < b.rest;
  }
};
static_assert(std::is_trivially_copyable_v<RowCheck<std::uint32_t>>);

}  // namespace gsx
