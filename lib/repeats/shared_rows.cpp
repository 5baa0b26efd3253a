#include "repeats/shared_rows.hpp"

#include "base/parallel.hpp"
#include "lcp/row_prefixes.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t most_compared = 512;
constexpr std::uint64_t rows_per_slice = std::uint64_t{1} << 18;
constexpr std::uint64_t bytes_per_report = std::uint64_t{8} << 20;

}  // namespace

template <class Pos>
SharedRowsBuilder<Pos>::SharedRowsBuilder(const TextView& text, std::uint64_t least, int threads,
                                          OnGrowth on_growth)
    : text_(text),
      least_(least),
      compared_(std::min(least, most_compared)),
      threads_(threads),
      on_growth_(std::move(on_growth)) {}

template <class Pos>
void SharedRowsBuilder<Pos>::add(const Pos* rows, std::uint64_t count) {
  if (count == 0) return;
  if (last_) {
    const Pos both[] = {*last_, rows[0]};
    pairs_.emplace_back();
    compare(both, 1, 2, pairs_.back());
    count_ += pairs_.back().lower.size();
  }
  last_ = rows[count - 1];
  const std::uint64_t slices = divide_up(count, rows_per_slice);
  const auto slices_at_once = static_cast<std::uint64_t>(threads_) * 8;
  for (std::uint64_t done = 0; done < slices; done += slices_at_once) {
    const std::uint64_t some = std::min(slices_at_once, slices - done);
    const std::size_t known = pairs_.size();
    pairs_.resize(known + some);
    parallel_for(threads_, some, [&](std::uint64_t s, int) {
      const std::uint64_t begin = (done + s) * rows_per_slice;
      compare(rows, std::max<std::uint64_t>(begin, 1), std::min(count, begin + rows_per_slice),
              pairs_[known + s]);
    });
    for (std::size_t s = known; s < pairs_.size(); ++s)
      count_ += pairs_[s].lower.size();
    std::erase_if(pairs_, [](const Pairs& pairs) { return pairs.lower.empty(); });
    const std::uint64_t bytes = count_ * 2 * sizeof(Pos);
    if (bytes < reported_ + bytes_per_report) continue;
    reported_ = bytes;
    if (on_growth_) on_growth_(bytes);
  }
}

template <class Pos>
void SharedRowsBuilder<Pos>::compare(const Pos* rows, std::uint64_t begin, std::uint64_t end,
                                     Pairs& pairs) const {
  if (begin >= end) return;
  for_each_row_prefix(text_, rows, begin, end, compared_, [&](std::uint64_t i, std::uint64_t lcp) {
    if (lcp < compared_) return;
    pairs.lower.push_back(rows[i]);
    pairs.upper.push_back(rows[i - 1]);
  });
  pairs.lower.shrink_to_fit();
  pairs.upper.shrink_to_fit();
}

template <class Pos>
std::uint64_t SharedRowsBuilder<Pos>::bytes_to_finish() const {
  return count_ * 2 * sizeof(Pos) + text_.length() / 5;
}

template <class Pos>
SharedRows<Pos> SharedRowsBuilder<Pos>::finish() {
  Buffer<Pos> lower(count_, "repeats"), upper(count_, "repeats");
  std::uint64_t next = 0;
  for (Pairs& pairs : pairs_) {
    std::copy(pairs.lower.begin(), pairs.lower.end(), lower.data() + next);
    std::copy(pairs.upper.begin(), pairs.upper.end(), upper.data() + next);
    next += pairs.lower.size();
    pairs = {};
  }
  return {text_, least_, compared_, std::move(lower), std::move(upper), threads_};
}

template class SharedRowsBuilder<std::uint32_t>;
template class SharedRowsBuilder<std::uint64_t>;

}  // namespace gsx
