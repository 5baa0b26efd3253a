#include "sa/checker.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t all_right = ~std::uint64_t{0};

template <class Pos>
class Checker {
 public:
  Checker(const TextView& text, const Pos* rows, int threads)
      : text_(text),
        rows_(rows),
        threads_(threads),
        slices_(static_cast<std::uint64_t>(threads) * 4) {}

  std::optional<std::uint64_t> run() {
    const std::uint64_t n = text_.length();
    if (n == 0) return std::nullopt;
    count_symbols();
    if (wrong_ == all_right) parallel_for(threads_, slices_, [&](auto s, int) { check_slice(s); });
    if (wrong_ == all_right) return std::nullopt;
    return wrong_.load();
  }

 private:
  void report(std::uint64_t row) {
    std::uint64_t known = wrong_.load();
    while (row < known && !wrong_.compare_exchange_weak(known, row)) {
    }
  }

  /// Rows are in range, separators in place; then, for each slice, how many of each symbol
  /// precede its rows' suffixes before it.
  void count_symbols() {
    const std::uint64_t sigma = text_.sigma;
    counts_.assign((slices_ + 1) * sigma, 0);
    parallel_for(threads_, slices_, [&](std::uint64_t s, int) {
      std::uint64_t* counts = &counts_[s * sigma];
      const Slice slice = slice_of(text_.length(), slices_, s);
      for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
        const std::uint64_t p = rows_[row];
        if (p >= text_.length()) return report(row);
        if (row < text_.segments.count && p != text_.segments.starts[row + 1] - 1) {
          return report(row);
        }
        if (!text_.segments.starts_at(p)) ++counts[text_.symbols[p - 1]];
      }
    });
    std::uint64_t total = text_.segments.count;
    for (std::uint64_t c = 0; c < sigma; ++c) {
      for (std::uint64_t s = 0; s < slices_; ++s) {
        const std::uint64_t here = counts_[s * sigma + c];
        counts_[s * sigma + c] = total;
        total += here;
      }
    }
  }

  /// Order key of a row's first symbol: separators before all codes.
  std::uint64_t first_symbol(std::uint64_t row) const {
    return row < text_.segments.count ? 0 : 1 + text_.symbols[rows_[row]];
  }

  void check_slice(std::uint64_t s) {
    const Slice slice = slice_of(text_.length(), slices_, s);
    std::uint64_t* next = &counts_[s * text_.sigma];
    for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
      const std::uint64_t p = rows_[row];
      if (row > 0 && first_symbol(row - 1) > first_symbol(row)) return report(row);
      const std::uint64_t segment = text_.segments.segment_at(p);
      // A separator behind row m would be a second copy of one that is already in its place.
      if (row >= text_.segments.count && p == text_.segments.starts[segment + 1] - 1) {
        return report(row);
      }
      if (p == text_.segments.starts[segment]) continue;
      const std::uint64_t before = next[text_.symbols[p - 1]]++;
      if (before >= text_.length() || rows_[before] != p - 1) return report(row);
    }
  }

  TextView text_;
  const Pos* rows_;
  int threads_;
  std::uint64_t slices_;
  std::vector<std::uint64_t> counts_;
  std::atomic<std::uint64_t> wrong_{all_right};
};

}  // namespace

std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                            int threads) {
  return rows.visit(
      [&]<class Pos>(const Pos* data) { return Checker<Pos>(text, data, threads).run(); });
}

}  // namespace gsx
