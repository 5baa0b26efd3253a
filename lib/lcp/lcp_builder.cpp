#include "lcp/lcp_builder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "lcp/long_prefixes.hpp"
#include "lcp/marked_numbers.hpp"
#include "lcp/row_prefixes.hpp"

namespace gsx {
namespace {

constexpr std::uint8_t escape = SmallNumbers::escape;
constexpr std::uint64_t least_compared = 16;
constexpr std::uint64_t rows_per_slice = std::uint64_t{1} << 16;

}  // namespace

template <class Pos>
LcpBuilder<Pos>::LcpBuilder(const TextView& text, int threads)
    : text_(text),
      threads_(threads),
      compared_(std::max<std::uint64_t>(least_compared, 2 * symbols_at_once(text.symbols.bits))),
      bytes_(text.length(), "LCP array") {}

template <class Pos>
void LcpBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  if (count == 0) return;
  compare_first(rows[0]);
  const std::uint64_t slices = (count + rows_per_slice - 1) / rows_per_slice;
  const std::size_t known = pairs_.size();
  pairs_.resize(known + slices);
  parallel_for(threads_, slices, [&](std::uint64_t s, int) {
    compare(rows, std::max<std::uint64_t>(s * rows_per_slice, 1),
            std::min(count, (s + 1) * rows_per_slice), pairs_[known + s]);
  });
  std::erase_if(pairs_, [](const Pairs& pairs) { return pairs.positions.empty(); });
  added_ += count;
  last_ = rows[count - 1];
}

template <class Pos>
void LcpBuilder<Pos>::compare_first(Pos position) {
  const Pos both[] = {last_, position};
  pairs_.emplace_back();
  if (added_ == 0) {
    set(0, 0);
  } else {
    for_each_row_prefix(text_, both, 1, 2, compared_, [&](std::uint64_t, std::uint64_t lcp) {
      if (set(added_, lcp)) pairs_.back() = {{position}, {last_}};
    });
  }
}

template <class Pos>
void LcpBuilder<Pos>::compare(const Pos* rows, std::uint64_t begin, std::uint64_t end,
                              Pairs& pairs) {
  if (begin >= end) return;
  for_each_row_prefix(text_, rows, begin, end, compared_, [&](std::uint64_t i, std::uint64_t lcp) {
    if (!set(added_ + i, lcp)) return;
    pairs.positions.push_back(rows[i]);
    pairs.partners.push_back(rows[i - 1]);
  });
}

template <class Pos>
bool LcpBuilder<Pos>::set(std::uint64_t row, std::uint64_t lcp) {
  const bool measured_later = lcp == compared_;
  bytes_[row] = measured_later ? escape : static_cast<std::uint8_t>(lcp);
  return measured_later;
}

template <class Pos>
std::uint64_t LcpBuilder<Pos>::pair_count() const {
  return std::accumulate(
      pairs_.begin(), pairs_.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Pairs& pairs) { return sum + pairs.positions.size(); });
}

template <class Pos>
std::uint64_t LcpBuilder<Pos>::bytes_to_finish() const {
  return pair_count() * 3 * sizeof(Pos) + text_.length() / 6;
}

template <class Pos>
LcpArray LcpBuilder<Pos>::finish() {
  const std::uint64_t total = pair_count();
  Buffer<Pos> measured(total, "LCP array");
  {
    Buffer<Pos> positions(total, "long common prefixes");
    std::uint64_t next = 0;
    for (Pairs& pairs : pairs_) {
      std::copy(pairs.positions.begin(), pairs.positions.end(), positions.data() + next);
      std::copy(pairs.partners.begin(), pairs.partners.end(), measured.data() + next);
      next += pairs.positions.size();
      pairs = {};
    }
    LongPrefixes<Pos>(text_, positions.span(), measured.span(), compared_, threads_)
        .copy_lengths(positions.span(), measured.span());
  }
  return LcpArray(finish_marked<Pos>(std::move(bytes_), threads_,
                                     [&](std::uint64_t, std::uint64_t m) { return measured[m]; }));
}

LcpArray build_lcp_array(const TextView& text, const SuffixArray& sa, int threads) {
  return sa.visit([&]<class Pos>(const Pos* rows) {
    LcpBuilder<Pos> builder(text, threads);
    builder.add(rows, sa.size());
    return builder.finish();
  });
}

template class LcpBuilder<std::uint32_t>;
template class LcpBuilder<std::uint64_t>;

}  // namespace gsx
