#include "scan/place_collector.hpp"

#include <algorithm>

namespace gsx {
namespace {

/// Most hits of several patterns that share a chunk.
constexpr std::uint64_t largest_group = std::uint64_t{1} << 16;

}  // namespace

PlaceCollector::PlaceCollector(const MismatchRequest& request, const SearchMemory& memory,
                               const HitSink& sink, Again again)
    : request_(request),
      most_(std::max<std::uint64_t>(1, memory.hits_at_once)),
      group_(std::min(most_, largest_group)),
      sink_(sink),
      again_(std::move(again)) {}

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
    is_full_ = true;
  }
}

void PlaceCollector::end_pattern() {
  if (is_full_) {
    give_sorted();
  } else {
    keep_own();
    counts_.push_back(count_);
    ends_.push_back(hits_.size());
    own_begin_ = hits_.size();
    if (hits_.size() >= group_) give_group();
  }
  is_full_ = false;
  count_ = {};
  std::fill_n(classes_.begin(), request_.mismatches + 1, 0);
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

/// Gives the current pattern, whose hits are not held.
void PlaceCollector::give_sorted() {
  give_group();
  std::uint64_t left = request_.max_hits;
  for (std::uint32_t m = 0; m <= request_.mismatches; ++m) {
    classes_[m] = std::min(classes_[m], left);  // to be reported
    left -= classes_[m];
  }
  std::uint32_t fewest = 0;
  while (fewest < request_.mismatches && classes_[fewest] == 0)
    ++fewest;
  std::uint64_t before = 0;
  const auto give = [&] {
    const std::uint64_t end = hits_.size();
    sink_({first_, before, request_.max_hits, {&count_, 1}, {&end, 1}, hits_, fewest});
    before += end;
    hits_.clear();
  };
  again_(first_, [&](std::span<const Hit> hits) {
    for (const Hit& hit : hits) {
      std::uint64_t& some = classes_[hit.mismatches()];
      if (some == 0) continue;
      --some;
      hits_.push_back(hit);
      if (hits_.size() >= group_) give();
    }
  });
  if (!hits_.empty()) give();
  ++first_;
}

}  // namespace gsx
