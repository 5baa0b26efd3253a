#include "analysis/guides/joined_hits.hpp"

#include <algorithm>

#include "base/log.hpp"

namespace gsx {
namespace {

/// Ends a search in which a guide has more hits than may be held.
struct TooManyHits {};

}  // namespace

MismatchCounts join_counts(const MismatchCounts& counts, std::size_t patterns_per_guide) {
  MismatchCounts joined;
  joined.reset(counts.patterns() / patterns_per_guide,
               static_cast<std::uint32_t>(counts.classes() - 1));
  for (std::size_t i = 0; i < counts.patterns(); ++i) {
    for (const bool reverse : {false, true}) {
      const std::span<std::uint64_t> to = joined.of(i / patterns_per_guide, reverse);
      for (std::size_t m = 0; m < counts.classes(); ++m)
        to[m] += counts.of(i, reverse)[m];
    }
  }
  return joined;
}

/// Takes the hits of patterns, and passes on those of the guides from number `first` on.
class JoinedSearch::Joining {
 public:
  Joining(std::size_t first, std::size_t patterns_per_guide, std::uint64_t max_hits,
          std::uint64_t most, std::size_t at_once, const HitSink& sink)
      : per_guide_(patterns_per_guide),
        max_hits_(max_hits),
        most_(most),
        at_once_(at_once),
        sink_(sink),
        first_(first) {}

  /// A HitSink of the patterns' hits, of which at most max_hits per pattern are there. Throws
  /// TooManyHits if a guide has more hits than may be held.
  void take(const HitChunk& chunk) {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const auto hits = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      begin = chunk.ends[i];
      if (hits_of_guide_.size() + hits.size() > most_) throw TooManyHits();
      hits_of_guide_.insert(hits_of_guide_.end(), hits.begin(), hits.end());
      const std::uint64_t before = i == 0 ? chunk.before : 0;
      if (before + hits.size() < chunk.reported(i)) continue;  // more of them follow
      counts_of_guide_.forward += chunk.counts[i].forward;
      counts_of_guide_.reverse += chunk.counts[i].reverse;
      if ((chunk.first + i + 1) % per_guide_ == 0) end_guide();
    }
  }
  /// Passes on the guides that are held whole. Returns the number of the next one.
  std::size_t flush() {
    if (!counts_.empty()) sink_({first_, 0, max_hits_, counts_, ends_, hits_});
    first_ += counts_.size();
    counts_.clear();
    ends_.clear();
    hits_.clear();
    return first_;
  }

 private:
  void end_guide() {
    std::sort(hits_of_guide_.begin(), hits_of_guide_.end());
    keep_fewest_mismatches(hits_of_guide_, max_hits_);
    if (hits_.size() + hits_of_guide_.size() > at_once_) flush();
    if (hits_of_guide_.size() > at_once_) {
      give_in_parts();
    } else {
      hold();
    }
    hits_of_guide_.clear();
    counts_of_guide_ = {};
  }
  void hold() {
    hits_.insert(hits_.end(), hits_of_guide_.begin(), hits_of_guide_.end());
    ends_.push_back(hits_.size());
    counts_.push_back(counts_of_guide_);
    if (hits_.size() == at_once_ || counts_.size() == usual_hits) flush();
  }
  /// Passes on a guide that has more hits than a chunk. Pre: no other guide is held.
  void give_in_parts() {
    const auto fewest =
        std::ranges::min_element(hits_of_guide_, {}, &Hit::mismatches)->mismatches();
    for (std::size_t i = 0; i < hits_of_guide_.size(); i += at_once_) {
      const auto some = std::span<const Hit>(hits_of_guide_)
                            .subspan(i, std::min(at_once_, hits_of_guide_.size() - i));
      const std::uint64_t end = some.size();
      sink_({first_, i, max_hits_, {&counts_of_guide_, 1}, {&end, 1}, some, fewest});
    }
    ++first_;
  }

  std::size_t per_guide_;
  std::uint64_t max_hits_;
  std::uint64_t most_;
  std::size_t at_once_;
  const HitSink& sink_;
  std::size_t first_;  ///< number of the first guide held
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
  StrandCounts counts_of_guide_;
  std::vector<Hit> hits_of_guide_;
};

void JoinedSearch::stream(const MismatchRequest& request, const HitSink& sink) const {
  std::size_t first = stream_some(0, guides(), request, sink);
  if (first == guides()) return;
  // One guide at least has too many hits: count them, to know which.
  MismatchCounts counts;
  searcher_.count(patterns_of(first, guides()), request, counts);
  const std::size_t counted = first * per_guide_;
  const auto has_too_many = [&](std::size_t guide) {
    std::uint64_t hits = 0;
    for (std::size_t i = guide * per_guide_; i < (guide + 1) * per_guide_; ++i)
      hits += std::min(counts.total(i - counted).total(), request.max_hits);
    return hits > most_;
  };
  while (first < guides()) {
    std::size_t last = first;
    while (last < guides() && !has_too_many(last))
      ++last;
    if (first < last) first = stream_some(first, last, request, sink);
    if (first == guides()) return;
    MismatchCounts of_guide;
    of_guide.reset(per_guide_, request.mismatches);
    for (std::size_t i = 0; i < per_guide_; ++i) {
      for (const bool reverse : {false, true}) {
        std::ranges::copy(counts.of(first * per_guide_ + i - counted, reverse),
                          of_guide.of(i, reverse).begin());
      }
    }
    stream_by_parts(first, join_counts(of_guide, per_guide_), request, sink);
    ++first;
  }
}

void JoinedSearch::stream_unordered(const MismatchRequest& request, const HitSink& sink) const {
  std::vector<std::uint64_t> ends;
  std::vector<StrandCounts> no_counts;
  searcher_.stream_unordered(patterns_, request, [&](const HitChunk& chunk) {
    ends.clear();
    const std::size_t first = chunk.first / per_guide_;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      ends.resize((chunk.first + i) / per_guide_ - first + 1);
      ends.back() = chunk.ends[i];
    }
    no_counts.resize(ends.size());
    sink({first, 0, unlimited, no_counts, ends, chunk.hits});
  });
}

/// Passes on the hits of guides [first, last) up to one that has too many hits to be held. Returns
/// the number of that one, or `last`.
std::size_t JoinedSearch::stream_some(std::size_t first, std::size_t last,
                                      const MismatchRequest& request, const HitSink& sink) const {
  Joining joining(first, per_guide_, request.max_hits, most_, at_once_, sink);
  try {
    searcher_.stream(patterns_of(first, last), request,
                     [&](const HitChunk& chunk) { joining.take(chunk); });
  } catch (const TooManyHits&) {
  }
  return joining.flush();
}

/// Passes on the hits of a guide, part by part of the text.
void JoinedSearch::stream_by_parts(std::size_t guide, const MismatchCounts& counts,
                                   const MismatchRequest& request, const HitSink& sink) const {
  const StrandCounts total = counts.total(0);
  log().debug("guide {} of a batch has {} sites: searched for at most {} at a time", guide + 1,
              total.total(), most_);
  FewestMismatches kept(counts, 0, request.max_hits);
  std::uint64_t left = std::min(total.total(), request.max_hits), before = 0, begin = 0;
  std::vector<Hit> hits;
  while (left > 0) {
    begin = next_part(guide, request, begin, hits);
    std::erase_if(hits, [&kept](const Hit& hit) { return !kept.take(hit); });
    for (std::size_t i = 0; i < hits.size(); i += at_once_) {
      const std::span<const Hit> some =
          std::span<const Hit>(hits).subspan(i, std::min(at_once_, hits.size() - i));
      const std::uint64_t end = some.size();
      sink({guide, before, request.max_hits, {&total, 1}, {&end, 1}, some, counts.fewest(0)});
      before += end;
      left -= end;
    }
  }
}

/// Replaces `hits` by those of a guide that start from `begin` on, in output order, up to as many
/// as may be held. Returns where the next part begins.
std::uint64_t JoinedSearch::next_part(std::size_t guide, const MismatchRequest& request,
                                      std::uint64_t begin, std::vector<Hit>& hits) const {
  // A start has a hit on each strand at most, so that two or more lie before that in the middle.
  const std::uint64_t most = std::max<std::uint64_t>(most_, 4);
  std::uint64_t end = unlimited;
  hits.clear();
  const auto cut = [&] {
    const auto middle = hits.begin() + static_cast<std::ptrdiff_t>(hits.size() / 2);
    std::nth_element(hits.begin(), middle, hits.end());
    end = middle->position();
    std::erase_if(hits, [&end](const Hit& hit) { return hit.position() >= end; });
  };
  searcher_.stream_unordered(patterns_of(guide, guide + 1),
                             {request.strands, request.mismatches, unlimited},
                             [&](const HitChunk& chunk) {
                               for (const Hit& hit : chunk.hits) {
                                 if (hit.position() < begin || hit.position() >= end) continue;
                                 hits.push_back(hit);
                                 if (hits.size() >= most) cut();
                               }
                             });
  std::sort(hits.begin(), hits.end());
  return end;
}

}  // namespace gsx
