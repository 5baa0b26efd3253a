// Counts and chunks of some of the hits of a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Hits that are held at a time, here and in a chunk; and the bytes of both.
inline constexpr std::size_t some_hits = std::size_t{1} << 15;
inline constexpr std::uint64_t some_hits_bytes = 48 * some_hits;

/// Makes chunks of the hits of all patterns, which come in output order. A pattern whose hits are
/// spread over several chunks is alone in them.
class HitChunkMaker {
 public:
  HitChunkMaker(const MismatchCounts& counts, std::uint64_t max_hits, const HitSink& sink)
      : counts_(counts), max_hits_(max_hits), sink_(sink) {}

  void add(std::size_t pattern, const Hit& hit) {
    end_patterns(pattern);
    if (hits_.size() == most) {
      give();
      if (!hits_.empty()) give_part();
    }
    hits_.push_back(hit);
  }
  void finish() {
    end_patterns(counts_.patterns());
    give();
  }

 private:
  static constexpr std::size_t most = some_hits;

  /// Ends the patterns before `pattern`.
  void end_patterns(std::size_t pattern) {
    for (; open_ < pattern; ++open_) {
      if (before_ > 0) {
        if (!hits_.empty()) give_part();
        first_ = open_ + 1;
        before_ = 0;
        continue;
      }
      totals_.push_back(counts_.total(open_));
      ends_.push_back(hits_.size());
    }
  }
  /// Gives the patterns that have ended.
  void give() {
    if (ends_.empty()) return;
    const std::uint64_t end = ends_.back();
    sink_({first_, 0, max_hits_, totals_, ends_, std::span(hits_).first(end)});
    first_ += ends_.size();
    totals_.clear();
    ends_.clear();
    hits_.erase(hits_.begin(), hits_.begin() + static_cast<std::ptrdiff_t>(end));
  }
  /// Gives some hits of the pattern that has not ended, which is alone.
  void give_part() {
    const StrandCounts total = counts_.total(open_);
    const std::uint64_t end = hits_.size();
    sink_({open_, before_, max_hits_, {&total, 1}, {&end, 1}, hits_, counts_.fewest(open_)});
    before_ += end;
    hits_.clear();
  }

  const MismatchCounts& counts_;
  std::uint64_t max_hits_;
  const HitSink& sink_;
  std::size_t first_ = 0;     ///< pattern of the next chunk
  std::size_t open_ = 0;      ///< the pattern whose hits come
  std::uint64_t before_ = 0;  ///< hits of that pattern in earlier chunks
  std::vector<StrandCounts> totals_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
};

/// Counts the chosen hits of patterns, which have at most `mismatches` mismatches.
/// for_each(take) calls take(pattern, hit) for each of them.
template <class ForEach>
void count_chosen(std::size_t patterns, std::uint32_t mismatches, MismatchCounts& counts,
                  const ForEach& for_each) {
  counts.reset(patterns, mismatches);
  for_each([&](std::size_t pattern, const Hit& hit) {
    ++counts.of(pattern, hit.is_reverse())[hit.mismatches()];
  });
}

/// Gives `sink` the chosen hits of all patterns, which for_each() has in output order: of a pattern
/// with more than `max_hits`, those with the fewest mismatches, among equal ones the first. Cost:
/// that of for_each(), or twice that if there are more than some hits. Memory: that of some hits.
template <class ForEach>
void stream_chosen(std::size_t patterns, std::uint32_t mismatches, std::uint64_t max_hits,
                   const ForEach& for_each, const HitSink& sink) {
  std::vector<std::pair<std::size_t, Hit>> held;
  std::uint64_t chosen = 0;
  MismatchCounts counts;
  count_chosen(patterns, mismatches, counts, [&](const auto& count) {
    for_each([&](std::size_t pattern, const Hit& hit) {
      count(pattern, hit);
      if (++chosen <= some_hits) held.emplace_back(pattern, hit);
    });
  });
  HitChunkMaker chunks(counts, max_hits, sink);
  std::size_t last = patterns;
  std::optional<FewestMismatches> kept;
  const auto take = [&](std::size_t pattern, const Hit& hit) {
    if (pattern != last) kept.emplace(counts, last = pattern, max_hits);
    if (kept->take(hit)) chunks.add(pattern, hit);
  };
  if (chosen <= some_hits) {
    for (const auto& [pattern, hit] : held)
      take(pattern, hit);
  } else {
    for_each(take);
  }
  chunks.finish();
}

}  // namespace gsx
