#include "search/cpu_locate.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "search/index_fault.hpp"
#include "search/text_scan.hpp"

namespace gsx {
namespace {

/// Rows located per call: many times those in flight, and few enough for the L1 cache.
constexpr std::size_t rows_at_once = 2048;

/// Most hits of several patterns that share a chunk.
constexpr std::uint64_t largest_group = std::uint64_t{1} << 16;

/// Cost of a step of locate, in positions that a scan reads. A pattern with fewer hits than
/// `least_scanned` is not worth the start of a scan, however short the text.
constexpr std::uint64_t step_cost = 6;
constexpr std::uint64_t least_scanned = 4096;

StrandCounts counts_of(const auto& found) {
  return {found[0].count, found[1].count};
}

}  // namespace

template <class Pos>
CpuLocate<Pos>::CpuLocate(const HugePageFm& index, const TextView& text, CpuPath path,
                          const SearchMemory& memory, std::uint64_t max_hits, const HitSink& sink)
    : index_(index),
      text_(text),
      loops_(search_loops<Pos>(path)),
      most_(std::max<std::uint64_t>(1, memory.hits_at_once)),
      group_(std::min(most_, largest_group)),
      max_hits_(max_hits),
      sink_(sink) {}

template <class Pos>
void CpuLocate<Pos>::run(const Patterns& patterns, std::size_t first,
                         std::span<const StrandsFound<Pos>> found) {
  std::size_t begin = 0;
  std::uint64_t hits = 0;
  const auto give_before = [&](std::size_t end) {
    give_group(first + begin, found.subspan(begin, end - begin));
    begin = end;
    hits = 0;
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::uint64_t own = reported(found[i]).total();
    const std::span<const std::uint8_t> pattern = patterns[first + i];
    const bool scanned = is_scanned(found[i], pattern.size());
    if (!scanned && own <= most_) {
      if (hits > 0 && hits + own > group_) give_before(i);
      hits += own;
      continue;
    }
    give_before(i);
    if (scanned) {
      give_scanned(pattern, first + i, found[i]);
    } else {
      give_in_ranges(first + i, found[i]);
    }
    begin = i + 1;
  }
  give_before(found.size());
}

template <class Pos>
typename CpuLocate<Pos>::Reported CpuLocate<Pos>::reported(const StrandsFound<Pos>& found) const {
  const std::uint64_t forward = std::min<std::uint64_t>(max_hits_, found[0].count);
  return {forward, std::min<std::uint64_t>(max_hits_ - forward, found[1].count)};
}

template <class Pos>
bool CpuLocate<Pos>::is_scanned(const StrandsFound<Pos>& found,
                                std::uint64_t pattern_length) const {
  const std::uint64_t hits = counts_of(found).total();
  if (hits > max_hits_ || (hits < least_scanned && hits <= most_)) return false;
  // In floating point: at large sampling rates, the product exceeds 64 bits.
  const std::uint64_t rounds = hits <= most_ ? 1 : 2 + hits / most_;
  const auto times = static_cast<double>(rounds);
  const double located = static_cast<double>(hits) * static_cast<double>(index_.sample_rate()) *
                         static_cast<double>(step_cost) * times;
  return static_cast<double>(TextScan::cost(text_, pattern_length)) < located;
}

/// Calls take(hit) for the reported hits, in suffix order.
template <class Pos>
template <class Take>
void CpuLocate<Pos>::for_each_hit(const StrandsFound<Pos>& found, const Take& take) {
  const Reported some = reported(found);
  const FmView fm = index_.view(some.total() * index_.sample_rate());
  std::array<Pos, rows_at_once> block;
  std::array<std::uint64_t, rows_at_once> positions;
  const std::uint64_t numbers[2] = {some.forward, some.reverse};
  for (const bool reverse : {false, true}) {
    if (found[reverse].located) {
      if (numbers[reverse] > 0) take(Hit(found[reverse].first, reverse));
      continue;
    }
    for (std::uint64_t done = 0; done < numbers[reverse]; done += rows_at_once) {
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(rows_at_once, numbers[reverse] - done));
      for (std::size_t k = 0; k < count; ++k)
        block[k] = static_cast<Pos>(found[reverse].first + done + k);
      loops_.locate(fm, block.data(), positions.data(), count);
      for (std::size_t k = 0; k < count; ++k)
        take(Hit(positions[k], reverse));
    }
  }
}

template <class Pos>
void CpuLocate<Pos>::give_group(std::size_t first, std::span<const StrandsFound<Pos>> found) {
  if (found.empty()) return;
  counts_.clear();
  ends_.clear();
  std::uint64_t total = 0;
  for (const StrandsFound<Pos>& both : found) {
    counts_.push_back(counts_of(both));
    total += reported(both).total();
    ends_.push_back(total);
  }
  hits_.resize(total);
  // Rows of consecutive patterns share a block, so that it is full even if each pattern has few.
  const FmView fm = index_.view(total * index_.sample_rate());
  struct Place {
    std::uint64_t hit;
    bool reverse;
  };
  std::array<Pos, rows_at_once> block;
  std::array<Place, rows_at_once> places;
  std::array<std::uint64_t, rows_at_once> positions;
  std::size_t filled = 0;
  std::uint64_t next = 0;
  const auto locate_block = [&] {
    loops_.locate(fm, block.data(), positions.data(), filled);
    for (std::size_t k = 0; k < filled; ++k)
      hits_[places[k].hit] = Hit(positions[k], places[k].reverse);
    filled = 0;
  };
  for (const StrandsFound<Pos>& both : found) {
    const Reported some = reported(both);
    for (const bool reverse : {false, true}) {
      const std::uint64_t count = reverse ? some.reverse : some.forward;
      if (both[reverse].located) {
        if (count > 0) hits_[next++] = Hit(both[reverse].first, reverse);
        continue;
      }
      for (std::uint64_t k = 0; k < count; ++k) {
        block[filled] = static_cast<Pos>(both[reverse].first + k);
        places[filled] = {next++, reverse};
        if (++filled == rows_at_once) locate_block();
      }
    }
  }
  locate_block();
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends_) {
    std::sort(hits_.begin() + static_cast<std::ptrdiff_t>(begin),
              hits_.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  sink_({first, 0, max_hits_, counts_, ends_, hits_});
}

template <class Pos>
void CpuLocate<Pos>::give_part(std::size_t number, const StrandCounts& counts,
                               std::uint64_t before) {
  const std::span<const Hit> hits(hits_);
  for (std::uint64_t begin = 0, size = 0; begin < hits.size(); begin += size) {
    size = std::min(most_, hits.size() - begin);
    sink_({number, before + begin, max_hits_, {&counts, 1}, {&size, 1}, hits.subspan(begin, size)});
  }
  hits_.clear();
}

template <class Pos>
void CpuLocate<Pos>::give_scanned(std::span<const std::uint8_t> pattern, std::size_t number,
                                  const StrandsFound<Pos>& found) {
  const StrandCounts counts = counts_of(found);
  const std::uint64_t most =
      std::max<std::uint64_t>(1, group_ - 1);  // a scan may return one hit more
  TextScan scan(text_, pattern, counts.forward > 0, counts.reverse > 0);
  hits_.clear();
  hits_.reserve(most + 1);
  std::uint64_t given = 0;
  for (bool more = true; more;) {
    more = scan.next(hits_, most);
    const std::uint64_t some = hits_.size();
    // The interval and the text disagree on the number of hits.
    if (given + some > counts.total() || (!more && given + some < counts.total()))
      throw_index_fault();
    if (some > 0) give_part(number, counts, given);
    given += some;
  }
}

template <class Pos>
void CpuLocate<Pos>::give_in_ranges(std::size_t number, const StrandsFound<Pos>& found) {
  const StrandCounts counts = counts_of(found);
  // So narrow that the hits of any one bucket, of both strands, fit into memory.
  unsigned shift = 0;
  while (std::uint64_t{4} << shift <= most_)
    ++shift;
  std::vector<std::uint64_t> buckets((text_.length() >> shift) + 1);
  for_each_hit(found, [&](Hit hit) { ++buckets[hit.position() >> shift]; });
  hits_.clear();
  std::uint64_t given = 0;
  for (std::size_t begin = 0, end = 0; begin < buckets.size(); begin = end) {
    std::uint64_t held = 0;
    while (end < buckets.size() && (end == begin || held + buckets[end] <= most_))
      held += buckets[end++];
    if (held == 0) continue;
    hits_.reserve(held);
    for_each_hit(found, [&](Hit hit) {
      const std::uint64_t bucket = hit.position() >> shift;
      if (bucket >= begin && bucket < end) hits_.push_back(hit);
    });
    std::sort(hits_.begin(), hits_.end());
    give_part(number, counts, given);
    given += held;
  }
}

template class CpuLocate<std::uint32_t>;
template class CpuLocate<std::uint64_t>;

}  // namespace gsx
