#include "index/lcp/lcp_builder.hpp"

#include <algorithm>
#include <utility>

#include "index/lcp/long_prefixes.hpp"
#include "index/lcp/marked_numbers.hpp"
#include "index/lcp/row_prefixes.hpp"

namespace gsx {
namespace {

constexpr std::uint8_t escape = SmallNumbers::escape;
constexpr std::uint64_t least_compared = 16;

}  // namespace

template <class Pos>
LcpBuilder<Pos>::LcpBuilder(const TextView& text, int threads, RequireMemory require,
                            std::uint64_t left_out)
    : text_(text),
      threads_(threads),
      compared_(std::max<std::uint64_t>(least_compared, 2 * symbols_at_once(text.symbols.bits))),
      bytes_(text.length() - left_out, "LCP array"),
      require_(require),
      growth_(std::move(require)) {}

template <class Pos>
void LcpBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  if (count == 0) return;
  if (added_ == 0) {
    touch_pages(bytes_, threads_);
    bytes_[0] = 0;
  } else {
    const Pos both[] = {last_, rows[0]};
    compare(both, 1, 2, added_ - 1, pairs_);
  }
  pairs_.add_slices(1, count, threads_, growth_,
                    [&](std::uint64_t begin, std::uint64_t end, SuffixPairs<Pos>& pairs) {
                      compare(rows, begin, end, added_, pairs);
                    });
  added_ += count;
  last_ = rows[count - 1];
}

template <class Pos>
void LcpBuilder<Pos>::compare(const Pos* rows, std::uint64_t begin, std::uint64_t end,
                              std::uint64_t first, SuffixPairs<Pos>& pairs) {
  for_each_row_prefix(text_, rows, begin, end, compared_, [&](std::uint64_t i, std::uint64_t lcp) {
    const bool measured_later = lcp == compared_;
    bytes_[first + i] = measured_later ? escape : static_cast<std::uint8_t>(lcp);
    if (measured_later) pairs.push(rows[i], rows[i - 1]);
  });
}

template <class Pos>
LcpArray LcpBuilder<Pos>::finish() {
  if (require_) require_(LongPrefixes<Pos>::bytes(text_.length(), pairs_.size()));
  LongPrefixes<Pos>(text_, pairs_.positions(), pairs_.partners(), compared_, threads_)
      .copy_lengths(pairs_.positions(), pairs_.partners());
  pairs_.drop_positions();
  const std::span<const Pos> measured = pairs_.partners();
  return LcpArray(finish_marked<Pos>(std::move(bytes_), threads_,
                                     [&](std::uint64_t, std::uint64_t m) { return measured[m]; }));
}

LcpArray build_lcp_array(const TextView& text, const SuffixArray& sa, int threads) {
  return sa.visit([&]<class Pos>(const Pos* rows) {
    LcpBuilder<Pos> builder(text, threads, {}, text.length() - sa.size());
    builder.add(rows, sa.size());
    return builder.finish();
  });
}

template class LcpBuilder<std::uint32_t>;
template class LcpBuilder<std::uint64_t>;

}  // namespace gsx
