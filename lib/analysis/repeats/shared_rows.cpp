#include "analysis/repeats/shared_rows.hpp"

#include "index/lcp/row_prefixes.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t most_compared = 512;

}  // namespace

template <class Pos>
SharedRowsBuilder<Pos>::SharedRowsBuilder(const TextView& text, std::uint64_t least, int threads,
                                          RequireMemory require)
    : text_(text),
      least_(least),
      compared_(std::min(least, most_compared)),
      threads_(threads),
      require_(require),
      growth_(std::move(require)) {}

template <class Pos>
void SharedRowsBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  if (count == 0) return;
  if (last_) {
    const Pos both[] = {*last_, rows[0]};
    compare(both, 1, 2, pairs_);
  }
  last_ = rows[count - 1];
  pairs_.add_slices(1, count, threads_, growth_,
                    [&](std::uint64_t begin, std::uint64_t end, SuffixPairs<Pos>& pairs) {
                      compare(rows, begin, end, pairs);
                    });
}

template <class Pos>
void SharedRowsBuilder<Pos>::compare(const Pos* rows, std::uint64_t begin, std::uint64_t end,
                                     SuffixPairs<Pos>& pairs) const {
  for_each_row_prefix(text_, rows, begin, end, compared_, [&](std::uint64_t i, std::uint64_t lcp) {
    if (lcp == compared_) pairs.push(rows[i], rows[i - 1]);
  });
}

template <class Pos>
SharedRows<Pos> SharedRowsBuilder<Pos>::finish() {
  if (require_) require_(LongPrefixes<Pos>::bytes(text_.length(), pairs_.size()));
  return {text_, least_, compared_, std::move(pairs_), threads_};
}

template class SharedRowsBuilder<std::uint32_t>;
template class SharedRowsBuilder<std::uint64_t>;

}  // namespace gsx
