#include "offtarget/joined_hits.hpp"

#include <algorithm>
#include <string>

#include "base/out_of_memory.hpp"

namespace gsx {
namespace {

/// Hits that are passed on at a time.
constexpr std::size_t usual_hits = 1 << 16;

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

void JoinedHits::take(const HitChunk& chunk) {
  if (per_guide_ == 1) return sink_(chunk);
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const auto hits = chunk.hits.subspan(begin, chunk.ends[i] - begin);
    begin = chunk.ends[i];
    if (hits_of_guide_.size() + hits.size() > most_) {
      throw OutOfMemoryError("guide " + std::to_string((chunk.first + i) / per_guide_ + 1) +
                             " of a batch has more than " + std::to_string(most_) +
                             " sites, too many to join those of several PAMs: search each PAM by "
                             "itself, or with fewer mismatches");
    }
    hits_of_guide_.insert(hits_of_guide_.end(), hits.begin(), hits.end());
    const std::uint64_t before = i == 0 ? chunk.before : 0;
    if (before + hits.size() < chunk.counts[i].total()) continue;  // more of them follow
    counts_of_guide_.forward += chunk.counts[i].forward;
    counts_of_guide_.reverse += chunk.counts[i].reverse;
    if ((chunk.first + i + 1) % per_guide_ == 0) end_guide();
  }
}

void JoinedHits::end_guide() {
  std::sort(hits_of_guide_.begin(), hits_of_guide_.end());
  keep_fewest_mismatches(hits_of_guide_, max_hits_);
  hits_.insert(hits_.end(), hits_of_guide_.begin(), hits_of_guide_.end());
  ends_.push_back(hits_.size());
  counts_.push_back(counts_of_guide_);
  hits_of_guide_.clear();
  counts_of_guide_ = {};
  if (hits_.size() >= usual_hits) flush();
}

void JoinedHits::flush() {
  if (counts_.empty()) return;
  sink_({first_, 0, max_hits_, counts_, ends_, hits_});
  first_ += counts_.size();
  counts_.clear();
  ends_.clear();
  hits_.clear();
}

}  // namespace gsx
