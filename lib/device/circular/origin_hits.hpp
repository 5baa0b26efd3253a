// The places of a batch's patterns that span origins, and their way into the hits of the rest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "device/circular/origins.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// Those places, pattern by pattern, in output order.
struct OriginHits {
  std::vector<Hit> hits;
  std::vector<std::uint64_t> ends;  ///< [patterns] into `hits`

  std::uint64_t begin_of(std::size_t pattern) const { return pattern == 0 ? 0 : ends[pattern - 1]; }
  std::span<const Hit> operator[](std::size_t pattern) const {
    return std::span(hits).subspan(begin_of(pattern), ends[pattern] - begin_of(pattern));
  }
  StrandCounts counts(std::size_t pattern) const {
    const std::span<const Hit> mine = (*this)[pattern];
    const auto reverse = static_cast<std::uint64_t>(
        std::ranges::count_if(mine, [](const Hit& hit) { return hit.is_reverse(); }));
    return {mine.size() - reverse, reverse};
  }
};

/// Finds the places of as many patterns, from the first on, as have about `most` of them together,
/// but of one pattern at least; the number of these patterns is that of OriginHits::ends.
template <class Set, class Stream>
OriginHits origin_hits(const Origins& origins, const Set& patterns, std::uint64_t most,
                       const Stream& stream) {
  struct TooMany {};
  struct Found {
    std::size_t pattern;
    Hit hit;
  };
  for (std::size_t some = patterns.size();; some = (some + 1) / 2) {
    std::vector<Found> found;
    try {
      origins.visit(patterns.some(0, some), stream, [&](std::size_t pattern, const Hit& hit) {
        found.push_back({pattern, hit});
        if (found.size() > most && some > 1) throw TooMany();
      });
    } catch (const TooMany&) {
      continue;
    }
    OriginHits ordered;
    ordered.ends.assign(some, 0);
    for (const Found& one : found)
      ++ordered.ends[one.pattern];
    std::uint64_t end = 0;
    for (std::uint64_t& of : ordered.ends)
      of = std::exchange(end, end + of);  // the begin for now
    ordered.hits.resize(found.size());
    for (const Found& one : found)
      ordered.hits[ordered.ends[one.pattern]++] = one.hit;
    return ordered;
  }
}

/// Merges the chunks of hits of a search with the places that span origins. A `Keep` chooses what
/// is reported: begin(pattern, total) is told the hits of a pattern that do not span an origin, and
/// take(hit, spans) is asked for every hit, in output order.
template <class Keep>
class OriginMerge {
 public:
  /// `first` is the number of the first pattern in the chunks that are passed on.
  OriginMerge(const OriginHits& origins, std::size_t first, std::uint64_t max_hits, Keep& keep,
              const HitSink& sink)
      : origins_(origins), first_(first), max_hits_(max_hits), keep_(keep), sink_(sink) {}

  /// A HitSink.
  void take(const HitChunk& chunk) {
    const std::size_t last = chunk.first + chunk.patterns() - 1;
    HitChunk merged = chunk;
    merged.first = first_ + chunk.first;
    if (origins_.begin_of(chunk.first) == origins_.ends[last]) return sink_(merged);
    counts_.clear();
    ends_.clear();
    hits_.clear();
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      const std::uint64_t begin = next;
      next = chunk.ends[i];
      const std::span<const Hit> others = chunk.hits.subspan(begin, next - begin);
      if (origins_[pattern].empty()) {
        hits_.insert(hits_.end(), others.begin(), others.end());
        end_pattern(chunk.counts[i]);
        continue;
      }
      const std::uint64_t before = i == 0 ? chunk.before : 0;
      if (before == 0) begin_pattern(pattern, chunk.counts[i]);
      const bool whole = before + others.size() == chunk.reported(i);
      if (before != 0 || !whole)
        merged.fewest_mismatches = std::min(chunk.fewest_mismatches, fewest_);
      if (i == 0) merged.before = reported_;
      const std::uint64_t added = merge(pattern, others, whole);
      reported_ += added;
      if (added != 0 || (whole && reported_ == 0)) {
        end_pattern(totals_);
      } else if (counts_.empty()) {  // a part of a pattern's hits, none of which is kept
        ++merged.first;
        merged.before = 0;
      }
    }
    if (counts_.empty()) return;
    merged.max_hits = max_hits_;
    merged.counts = counts_;
    merged.ends = ends_;
    merged.hits = hits_;
    sink_(merged);
  }

 private:
  void begin_pattern(std::size_t pattern, const StrandCounts& others) {
    const StrandCounts mine = origins_.counts(pattern);
    totals_ = {others.forward + mine.forward, others.reverse + mine.reverse};
    reported_ = 0;
    next_ = origins_.begin_of(pattern);
    fewest_ = most_mismatches;
    for (const Hit& hit : origins_[pattern])
      fewest_ = std::min(fewest_, hit.mismatches());
    keep_.begin(pattern, others.total());
  }
  void end_pattern(const StrandCounts& counts) {
    counts_.push_back(counts);
    ends_.push_back(hits_.size());
  }
  /// Adds some of the other hits of a pattern, and the places at origins between them; if they are
  /// the last, also those behind them. Returns how many are reported.
  std::uint64_t merge(std::size_t pattern, std::span<const Hit> others, bool last) {
    const std::uint64_t earlier = hits_.size();
    const auto add = [&](const Hit& hit, bool spans) {
      if (keep_.take(hit, spans)) hits_.push_back(hit);
    };
    const std::uint64_t end = origins_.ends[pattern];
    for (const Hit& hit : others) {
      while (next_ < end && origins_.hits[next_] < hit)
        add(origins_.hits[next_++], true);
      add(hit, false);
    }
    while (last && next_ < end)
      add(origins_.hits[next_++], true);
    return hits_.size() - earlier;
  }

  const OriginHits& origins_;
  std::size_t first_;
  std::uint64_t max_hits_;
  Keep& keep_;
  const HitSink& sink_;
  // Of the last pattern with places that span an origin.
  StrandCounts totals_;
  std::uint64_t reported_ = 0;
  std::uint64_t next_ = 0;    ///< of its places that span an origin
  std::uint32_t fewest_ = 0;  ///< mismatches of any of these
  // Of the chunk that is made.
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
};

}  // namespace gsx
