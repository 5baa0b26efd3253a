#include "search/matches/pair_finder.hpp"

#include <algorithm>

#include "base/bits.hpp"

namespace gsx {

PairFinder::PairFinder(const PairTarget& target, const PackedView& query, std::size_t pairs_at_once)
    : target_(target),
      extension_{target.text, query, target.sampling.kmer, target.sampling.period(),
                 target.min_length},
      pairs_at_once_(pairs_at_once) {}

void PairFinder::find(const PlainStretch& stretch, std::uint64_t begin, std::uint64_t end,
                      bool reverse, const PairSink& sink) {
  if (reverse) {
    find_on_strand<true>(stretch, begin, end, sink);
  } else {
    find_on_strand<false>(stretch, begin, end, sink);
  }
}

template <bool Reverse>
void PairFinder::find_on_strand(const PlainStretch& stretch, std::uint64_t begin, std::uint64_t end,
                                const PairSink& sink) {
  const std::uint32_t kmer = target_.sampling.kmer, step = target_.sampling.query_step;
  if (stretch.length() < target_.min_length || begin >= end) return;
  const PairTableView& table = target_.table;
  const PackedView& query = extension_.query;
  // The first k-mer that both sample in a pair that begins at q lies in [q, q + period).
  const std::uint64_t last = std::min(end + extension_.period - 1, stretch.end - kmer + 1);
  std::uint64_t q = divide_up(begin, step) * step;
  std::uint64_t slots[group];
  struct Range {
    std::uint32_t begin, end;
  } ranges[group];
  while (q < last) {
    const std::uint64_t first = q;
    std::size_t count = 0;
    for (; count < group && q < last; ++count, q += step) {
      slots[count] = Reverse ? table.complement_slot_at(query, q) : table.slot_at(query, q);
      __builtin_prefetch(&table.starts[slots[count]]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      ranges[i] = {table.starts[slots[i]], table.starts[slots[i] + 1]};
      __builtin_prefetch(&table.samples[ranges[i].begin]);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t at = first + i * step;
      for (std::uint32_t j = ranges[i].begin; j < ranges[i].end; ++j) {
        const std::uint64_t p = std::uint64_t{table.samples[j]} * table.step;
        __builtin_prefetch(target_.text.symbols.bytes + (p * query.bits >> 3));
        candidate_[candidates_] = {p, at};
        if (++candidates_ == candidates_at_once) compare<Reverse>(stretch, begin, end);
      }
      if (pairs_.size() >= most_pairs_) {
        compare<Reverse>(stretch, begin, end);
        if (at + step >= begin + extension_.period) give(at + step - extension_.period, sink);
      }
    }
  }
  compare<Reverse>(stretch, begin, end);
  give(end, sink);
}

template <bool Reverse>
void PairFinder::compare(const PlainStretch& stretch, std::uint64_t begin, std::uint64_t end) {
  MatchPair pair;
  for (std::size_t i = 0; i < candidates_; ++i) {
    const Candidate& candidate = candidate_[i];
    if (extension_.extend<Reverse>(candidate.target, candidate.query, stretch, pair) &&
        pair.query >= begin && pair.query < end)
      pairs_.push_back(pair);
  }
  candidates_ = 0;
}

/// Gives the pairs that begin before `end`, which are all there.
void PairFinder::give(std::uint64_t end, const PairSink& sink) {
  std::sort(pairs_.begin(), pairs_.end(), [](const MatchPair& a, const MatchPair& b) {
    if (a.query != b.query) return a.query < b.query;
    return a.target != b.target ? a.target < b.target : a.length < b.length;
  });
  const auto kept = std::find_if(pairs_.begin(), pairs_.end(),
                                 [&](const MatchPair& pair) { return pair.query >= end; });
  const auto given = static_cast<std::size_t>(kept - pairs_.begin());
  if (given > 0) sink({pairs_.data(), given});
  pairs_.erase(pairs_.begin(), kept);
  most_pairs_ = std::max(pairs_at_once_, 2 * pairs_.size());
}

}  // namespace gsx
