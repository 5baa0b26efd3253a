#include "search/sites/site_hits.hpp"

namespace gsx {
namespace {

/// Hits that a pattern reserves at first: an array of them takes as much as an allocation does.
constexpr std::uint64_t first_step = 4;

}  // namespace

void SiteHits::reset(std::size_t patterns) {
  used_ = patterns;
  if (patterns_.size() < patterns) patterns_.resize(patterns);
  // Which patterns had many hits changes; all that they once had must not stay allocated.
  std::uint64_t room = 0;
  for (const OfPattern& pattern : patterns_)
    room += pattern.hits.capacity();
  for (OfPattern& pattern : patterns_) {
    if (room > most_) pattern.hits = std::vector<Hit>();
    pattern.hits.clear();
    pattern.reserved = 0;
    pattern.incomplete = false;
  }
  reserved_ = 0;
}

/// Lets a pattern have more hits; otherwise it is incomplete and loses those that it has.
bool SiteHits::reserve(OfPattern& pattern) {
  if (pattern.incomplete) return false;
  // As the array grows: most patterns have few hits.
  const std::uint64_t step =
      std::clamp(pattern.reserved, std::min(first_step, most_step_), most_step_);
  if (reserved_.fetch_add(step, std::memory_order_relaxed) + step <= most_) {
    pattern.reserved += step;
    return true;
  }
  reserved_.fetch_sub(step + pattern.reserved, std::memory_order_relaxed);
  pattern.incomplete = true;
  pattern.hits = std::vector<Hit>();  // {} would keep the memory
  pattern.reserved = 0;
  return false;
}

/// How many patterns from the first one on are complete.
std::size_t SiteHits::complete() const {
  std::size_t complete = 0;
  while (complete < used_ && !patterns_[complete].incomplete)
    ++complete;
  return complete;
}

BatchFound SiteHits::give(std::size_t first, const MismatchRequest& request, const HitSink& sink) {
  const std::size_t patterns = complete();
  if (patterns == 0) return {};
  counts_.assign(patterns, {});
  ends_.clear();
  hits_.clear();
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < patterns; ++i) {
    std::vector<Hit>& hits = patterns_[i].hits;
    all += hits.size();
    for (const Hit& hit : hits)
      ++(hit.is_reverse() ? counts_[i].reverse : counts_[i].forward);
    keep_fewest_mismatches(hits, request.max_hits);
    hits_.insert(hits_.end(), hits.begin(), hits.end());
    ends_.push_back(hits_.size());
  }
  sink({first, 0, request.max_hits, counts_, ends_, hits_});
  return {patterns, most_ / 2 / std::max(std::min(first_step, most_step_), all / patterns)};
}

}  // namespace gsx
