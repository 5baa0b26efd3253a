#include "index/lcp/checker.hpp"

#include <algorithm>
#include <atomic>

#include "base/buffer.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t checks_per_thread = 4;
constexpr std::uint64_t none = ~std::uint64_t{0};

template <class Pos>
class Checker {
 public:
  Checker(const TextView& text, const Pos* sa, const LcpArray& lcp, int threads)
      : text_(text),
        sa_(sa),
        lcp_(lcp),
        threads_(threads),
        claimed_(text.length(), "check of the LCP array"),
        before_(text.length(), "check of the LCP array") {}

  std::optional<std::uint64_t> run() {
    if (lcp_.size() == 0) return std::nullopt;
    each_slice([&](Slice slice) {
      lcp_.for_each(slice.begin, slice.end, [&](std::uint64_t row, std::uint64_t value) {
        // Values beyond the text are wrong, and might not fit.
        claimed_[sa_[row]] = static_cast<Pos>(std::min(value, text_.length()));
        before_[sa_[row]] = row == 0 ? sa_[row] : sa_[row - 1];
      });
    });
    each_slice([&](Slice slice) { check(slice); });
    const std::uint64_t wrong = wrong_;
    if (wrong == none) return std::nullopt;
    std::uint64_t row = 0;
    while (sa_[row] != wrong)
      ++row;
    return row;
  }

 private:
  template <class Work>
  void each_slice(const Work& work) {
    const std::uint64_t slices = static_cast<std::uint64_t>(threads_) * checks_per_thread;
    parallel_for(threads_, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(text_.length(), slices, s);
      if (slice.begin < slice.end) work(slice);
    });
  }

  void check(Slice slice) {
    std::uint64_t known = 0;
    std::uint64_t separator = text_.segments.separator_from(slice.begin);
    for (std::uint64_t p = slice.begin; p < slice.end; ++p) {
      if (p > separator) separator = text_.segments.separator_from(p);
      if (!is_right(p, separator, known)) {
        wrong_.store(p, std::memory_order_relaxed);
        return;
      }
      known = claimed_[p] == 0 ? 0 : claimed_[p] - 1;
    }
  }

  bool is_right(std::uint64_t p, std::uint64_t separator, std::uint64_t known) const {
    const std::uint64_t length = claimed_[p], q = before_[p];
    if (q == p) return length == 0;  // the first row
    const std::uint64_t other = text_.segments.separator_from(q);
    const std::uint64_t most = std::min(separator - p, other - q);
    if (length > most || length < known) return false;
    for (std::uint64_t i = known; i < length; ++i) {
      if (text_.symbols[p + i] != text_.symbols[q + i]) return false;
    }
    return length == most || text_.symbols[p + length] != text_.symbols[q + length];
  }

  TextView text_;
  const Pos* sa_;
  const LcpArray& lcp_;
  int threads_;
  Buffer<Pos> claimed_;                      ///< of the suffix at each position
  Buffer<Pos> before_;                       ///< the position in the row before
  std::atomic<std::uint64_t> wrong_ = none;  ///< position
};

}  // namespace

std::optional<std::uint64_t> find_wrong_lcp(const TextView& text, const SuffixArray& sa,
                                            const LcpArray& lcp, int threads) {
  return sa.visit(
      [&]<class Pos>(const Pos* rows) { return Checker<Pos>(text, rows, lcp, threads).run(); });
}

}  // namespace gsx
