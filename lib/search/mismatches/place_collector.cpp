#include "search/mismatches/place_collector.hpp"

#include <algorithm>
#include <span>

namespace gsx {
namespace {

/// Most hits of several patterns that share a chunk.
constexpr std::uint64_t largest_group = std::uint64_t{1} << 16;

}  // namespace

PlaceCollector::PlaceCollector(const SetPatterns& patterns, const MismatchRequest& request,
                               const SearchMemory& memory, const MismatchSearcher& scan,
                               const HitSink& sink)
    : patterns_(patterns),
      request_(request),
      most_(std::max<std::uint64_t>(1, memory.hits_at_once)),
      group_(std::min(most_, largest_group)),
      scan_(scan),
      sink_(sink) {}

/// Sorts the hits of the current pattern and leaves those that may be reported.
void PlaceCollector::keep_own() {
  std::sort(hits_.begin() + static_cast<std::ptrdiff_t>(own_begin_), hits_.end());
  keep_fewest_mismatches(hits_, request_.max_hits, own_begin_);
}

void PlaceCollector::make_room() {
  give_group();
  if (hits_.size() < most_) return;
  if (request_.max_hits <= most_ / 2) {
    keep_own();
  } else {
    hits_.clear();
    is_scanned_ = true;
  }
}

void PlaceCollector::end_pattern() {
  if (is_scanned_) {
    give_scanned();
  } else {
    keep_own();
    counts_.push_back(count_);
    ends_.push_back(hits_.size());
    own_begin_ = hits_.size();
    if (hits_.size() >= group_) give_group();
  }
  is_scanned_ = false;
  count_ = {};
}

/// Gives the patterns that have ended.
void PlaceCollector::give_group() {
  if (counts_.empty()) return;
  const std::span<const Hit> ended = std::span(hits_).first(own_begin_);
  sink_({first_, 0, request_.max_hits, counts_, ends_, ended});
  first_ += counts_.size();
  counts_.clear();
  ends_.clear();
  hits_.erase(hits_.begin(), hits_.begin() + static_cast<std::ptrdiff_t>(own_begin_));
  own_begin_ = 0;
}

/// Has the other searcher give the current pattern.
void PlaceCollector::give_scanned() {
  give_group();
  scan_.stream(patterns_.some(first_, first_ + 1), request_, [this](HitChunk chunk) {
    chunk.first += first_;
    sink_(chunk);
  });
  ++first_;
}

void PlaceCounter::scan() {
  MismatchCounts own;
  scan_.count(patterns_.some(pattern_, pattern_ + 1), request_, own);
  counts_.put(pattern_, own);
}

}  // namespace gsx
