// Checking a suffix array row by row, given its inverse.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// An array is the suffix array of a text if and only if it is a permutation, each row is smaller
/// than the next by its first symbol, or, where these are the same, by the rank of what follows
/// (paper: GPU prefix doubling, section 5.3; Burkhardt and Kärkkäinen, 2003), and the separators'
/// rows are in position order.
///
/// `inverse`, all `unset` at first, takes inverse[rows[row]] = row from every row that may_hold();
/// then is_taken() and, for every row that has_order(), comes_before() say whether all is right.
/// When nothing has been said to be wrong so far, each is safe; when something has, no access
/// leaves the arrays, and the answer no longer matters.
template <class Pos>
struct RowCheck {
  TextView text;
  const Pos* rows;
  Pos* inverse;

  static constexpr Pos unset = static_cast<Pos>(~Pos{0});

  /// Whether the entry lies in the text and, in a separator's row, is that separator.
  GSX_HD bool may_hold(std::uint64_t row) const {
    if (row < text.segments.count) return rows[row] == text.segments.starts[row + 1] - 1;
    return rows[row] < text.length();
  }
  /// Whether some row holds this position: n entries that do not leave one out are a permutation.
  GSX_HD bool is_taken(std::uint64_t position) const { return inverse[position] != unset; }

  /// What a row is ordered by.
  struct Key {
    std::uint32_t symbol;
    Pos rest;  ///< row of the suffix one symbol shorter
  };
  /// Pre: row is not a separator's.
  GSX_HD Key key(std::uint64_t row) const {
    const std::uint64_t p = rows[row];
    // Only a separator that is out of place is last in the text.
    if (p >= text.length() - 1) return {0, 0};
    return {static_cast<std::uint32_t>(text.symbols[p]), inverse[p + 1]};
  }
  GSX_HD static bool comes_before(const Key& a, const Key& b) {
    return a.symbol != b.symbol ? a.symbol < b.symbol : a.rest < b.rest;
  }
};
static_assert(std::is_trivially_copyable_v<RowCheck<std::uint32_t>>);

}  // namespace gsx
