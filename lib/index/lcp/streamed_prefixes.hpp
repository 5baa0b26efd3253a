// The common prefixes of neighbouring rows, for rows that come some at a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/buffer.hpp"
#include "index/lcp/lcp_array.hpp"
#include "index/lcp/row_prefixes.hpp"

namespace gsx {

/// Compares the rows of a suffix array, which come in order, some at a time, each with the one
/// before. Memory: 16 MB.
template <class Pos>
class StreamedPrefixes {
 public:
  /// Prefixes longer than `cap` count as `cap`. With `known`, the LCP array of the same rows, none
  /// are compared: for a `cap` so large that this would take long.
  StreamedPrefixes(const TextView& text, std::uint32_t cap, int threads,
                   const LcpArray* known = nullptr)
      : text_(text), cap_(cap), threads_(threads), known_(known), lcps_(rows_at_once, "LCP") {}

  /// Calls on_rows(rows, lcps, count) for consecutive rows; lcps[i] is what rows i - 1 and i have
  /// in common, 0 for the first row of all. Cost: as for_each_row_prefix().
  template <class OnRows>
  void add(const Pos* rows, std::uint64_t count, const OnRows& on_rows) {
    for (std::uint64_t first = 0; first < count; first += rows_at_once) {
      const std::uint64_t some = std::min(rows_at_once, count - first);
      compare(rows + first, some);
      on_rows(rows + first, lcps_.data(), some);
      added_ += some;
    }
  }

 private:
  static constexpr std::uint64_t rows_at_once = std::uint64_t{1} << 22;

  void compare(const Pos* rows, std::uint64_t count) {
    if (known_ != nullptr) return look_up(count);
    lcps_[0] = 0;
    if (added_ != 0) {
      const Pos both[] = {last_, rows[0]};
      std::uint32_t pair[2];
      compare_slice(both, 1, 2, pair);
      lcps_[0] = pair[1];
    }
    for_each_row_slice(1, count, threads_, [&](std::uint64_t begin, std::uint64_t end) {
      compare_slice(rows, begin, end, lcps_.data());
    });
    last_ = rows[count - 1];
  }
  void compare_slice(const Pos* rows, std::uint64_t begin, std::uint64_t end,
                     std::uint32_t* lcps) const {
    for_each_row_prefix(text_, rows, begin, end, cap_, [&](std::uint64_t i, std::uint64_t lcp) {
      lcps[i] = static_cast<std::uint32_t>(lcp);
    });
  }
  void look_up(std::uint64_t count) {
    for_each_row_slice(0, count, threads_, [&](std::uint64_t begin, std::uint64_t end) {
      known_->for_each(added_ + begin, added_ + end, [&](std::uint64_t row, std::uint64_t lcp) {
        lcps_[row - added_] = static_cast<std::uint32_t>(std::min<std::uint64_t>(lcp, cap_));
      });
    });
  }

  TextView text_;
  std::uint32_t cap_;
  int threads_;
  const LcpArray* known_;
  std::uint64_t added_ = 0;
  Pos last_ = 0;  ///< position in the last row that was added
  Buffer<std::uint32_t> lcps_;
};

}  // namespace gsx
