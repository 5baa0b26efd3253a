// Arrays that are almost, or not at all, the suffix array of a text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "index/sa/suffix_array.hpp"
#include "support/texts.hpp"

namespace gsx::testing {

/// The entries as a suffix array of a given width. Wide entries keep their value, narrow ones the
/// lower half.
inline SuffixArray as_suffix_array(const std::vector<std::uint64_t>& entries, PositionWidth width) {
  const auto fill = [&]<class Pos>(Buffer<Pos> rows) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      rows[i] = static_cast<Pos>(entries[i]);
    return SuffixArray(std::move(rows));
  };
  if (width == PositionWidth::wide) return fill(Buffer<std::uint64_t>(entries.size(), "test"));
  return fill(Buffer<std::uint32_t>(entries.size(), "test"));
}

inline std::vector<std::uint64_t> entries_of(const SuffixArray& rows) {
  std::vector<std::uint64_t> all(rows.size());
  for (std::uint64_t i = 0; i < all.size(); ++i)
    all[i] = rows[i];
  return all;
}

/// Damaged copies of a suffix array, `each` of every kind, at random places. Some kinds may leave
/// an array unchanged.
inline std::vector<std::vector<std::uint64_t>> wrong_arrays(const std::vector<std::uint64_t>& right,
                                                            std::uint64_t separators,
                                                            Random& random, int each) {
  std::vector<std::vector<std::uint64_t>> all;
  const std::uint64_t n = right.size();
  const auto damage = [&](const auto& change) {
    all.push_back(right);
    change(all.back());
  };
  using Rows = std::vector<std::uint64_t>;
  const auto place = [](Rows& rows, std::uint64_t row) {
    return rows.begin() + static_cast<std::ptrdiff_t>(row);
  };
  for (int i = 0; i < each; ++i) {
    const std::uint64_t a = below(random, n), b = below(random, n);
    const std::uint64_t low = std::min(a, b), high = std::max(a, b);
    damage([&](Rows& rows) { std::swap(rows[a], rows[(a + 1) % n]); });
    damage([&](Rows& rows) { std::swap(rows[a], rows[b]); });
    damage([&](Rows& rows) { rows[a] = rows[b]; });
    damage([&](Rows& rows) { rows[a] = rows[(a + 1) % n]; });
    for (const std::uint64_t outside :
         {n, n + 1, std::uint64_t{0x7FFFFFFF}, std::uint64_t{0xFFFFFFFF}, std::uint64_t{1} << 32,
          std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      damage([&](Rows& rows) { rows[a] = outside; });
    }
    damage([&](Rows& rows) { rows[a] = rows[b] = n + a; });
    damage([&](Rows& rows) {
      std::rotate(place(rows, low), place(rows, low + (high - low + 1) / 2), place(rows, high));
    });
    damage([&](Rows& rows) { std::rotate(place(rows, low), place(rows, high), place(rows, n)); });
    damage([&](Rows& rows) { std::reverse(place(rows, low), place(rows, high)); });
    damage([&](Rows& rows) { std::fill(place(rows, low), place(rows, high), rows[low]); });
    damage([&](Rows& rows) {  // a row of a separator, and a row that need not be one
      std::swap(rows[a % separators], rows[b]);
    });
    damage([&](Rows& rows) { rows[a % separators] = right[b % separators]; });
    damage([&](Rows& rows) { rows[b] = right[a % separators]; });
  }
  damage([](Rows& rows) { std::iota(rows.begin(), rows.end(), std::uint64_t{0}); });
  damage([](Rows& rows) { std::reverse(rows.begin(), rows.end()); });
  damage([](Rows& rows) { std::fill(rows.begin(), rows.end(), std::uint64_t{0}); });
  damage([&](Rows& rows) { std::fill(rows.begin(), rows.end(), n - 1); });
  damage([&](Rows& rows) { std::rotate(rows.begin(), rows.begin() + 1, rows.end()); });
  damage(
      [&](Rows& rows) {  // cyclic shifts of the text, which may keep the order of the first symbols
        for (auto& row : rows)
          row = (row + 1) % n;
      });
  return all;
}

}  // namespace gsx::testing
