#include "index/sa/checker.hpp"

#include <atomic>
#include <vector>

#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t all_right = ~std::uint64_t{0};

template <class Pos>
class Checker {
 public:
  Checker(const TextView& text, const Pos* sa, int threads)
      : text_(text), sa_(sa), threads_(threads), slices_(static_cast<std::uint64_t>(threads) * 4) {}

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

  /// Checks that entries are positions and separators are in place. Then finds the slice's first
  /// row with symbol c before it, for each slice and c, and where the suffix that is one symbol
  /// longer must stand.
  void count_symbols() {
    const std::uint64_t sigma = text_.sigma;
    counts_.assign((slices_ + 1) * sigma, 0);
    parallel_for(threads_, slices_, [&](std::uint64_t s, int) {
      std::uint64_t* counts = &counts_[s * sigma];
      const Slice slice = slice_of(text_.length(), slices_, s);
      for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
        const std::uint64_t p = sa_[row];
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

  /// The first symbol of a row, as a number: separators come before all codes.
  std::uint64_t first_symbol(std::uint64_t row) const {
    return row < text_.segments.count ? 0 : 1 + text_.symbols[sa_[row]];
  }

  void check_slice(std::uint64_t s) {
    const Slice slice = slice_of(text_.length(), slices_, s);
    std::uint64_t* next = &counts_[s * text_.sigma];
    for (std::uint64_t row = slice.begin; row < slice.end; ++row) {
      const std::uint64_t p = sa_[row];
      if (row > 0 && first_symbol(row - 1) > first_symbol(row)) return report(row);
      const std::uint64_t segment = text_.segments.segment_at(p);
      // Separators are in their places, so here it would be a second copy.
      if (row >= text_.segments.count && p == text_.segments.starts[segment + 1] - 1) {
        return report(row);
      }
      if (p == text_.segments.starts[segment]) continue;
      const std::uint64_t before = next[text_.symbols[p - 1]]++;
      if (before >= text_.length() || sa_[before] != p - 1) return report(row);
    }
  }

  TextView text_;
  const Pos* sa_;
  int threads_;
  std::uint64_t slices_;
  std::vector<std::uint64_t> counts_;
  std::atomic<std::uint64_t> wrong_{all_right};
};

}  // namespace

std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& sa,
                                            int threads) {
  return sa.visit(
      [&]<class Pos>(const Pos* data) { return Checker<Pos>(text, data, threads).run(); });
}

}  // namespace gsx
