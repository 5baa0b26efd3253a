// Hits of patterns that are found in any order, up to a limit.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/mismatches/batches.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Collects the hits of several patterns on several threads, as long as all together are not too
/// many. A pattern whose hits no longer fit is incomplete.
class SiteHits {
 public:
  /// Collects half of the hits that may be held; delivery copies them.
  explicit SiteHits(std::uint64_t hits_at_once)
      : most_(hits_at_once / 2), most_step_(std::clamp<std::uint64_t>(most_ / 64, 1, 512)) {}

  /// Forgets all hits; makes room for `patterns` patterns.
  void reset(std::size_t patterns);
  /// Gives the patterns up to the first incomplete one to the sink as one chunk, if there are any;
  /// `first` is the number of the first of them in the batch.
  BatchFound give(std::size_t first, const MismatchRequest& request, const HitSink& sink);

 private:
  struct OfPattern {
    std::vector<Hit> hits;
    std::uint64_t reserved = 0;  ///< of the hits that may be collected
    bool incomplete = false;
  };

 public:
  /// Adds the hits of one pattern in one part of the text. Parts must come in order.
  class Writer {
   public:
    /// The part begins at `begin`.
    Writer(SiteHits& all, std::size_t pattern, std::uint64_t begin, Strands strands)
        : all_(all), to_(all.patterns_[pattern]), begin_(begin), before_(to_.hits.size()) {
      wanted_[0] = strands != Strands::reverse;
      wanted_[1] = strands != Strands::forward;
    }
    /// `place` as in SiteHalf.
    void add(std::uint32_t place, std::uint32_t mismatches) {
      if (!wanted_[place & 1]) return;
      if (to_.hits.size() == to_.reserved && !all_.reserve(to_)) return;
      to_.hits.emplace_back(begin_ + (place >> 1), (place & 1) != 0, mismatches);
    }
    /// Adds a hit of the whole text.
    void add(const Hit& hit) {
      if (to_.hits.size() == to_.reserved && !all_.reserve(to_)) return;
      to_.hits.push_back(hit);
    }
    /// Puts what was added in output order.
    void finish() {
      if (to_.incomplete) return;  // what earlier parts had added is gone
      std::sort(to_.hits.begin() + static_cast<std::ptrdiff_t>(before_), to_.hits.end());
    }

   private:
    SiteHits& all_;
    OfPattern& to_;
    std::uint64_t begin_;
    std::size_t before_;
    bool wanted_[2];
  };

 private:
  bool reserve(OfPattern& pattern);
  std::size_t complete() const;

  std::uint64_t most_;
  std::uint64_t most_step_;  ///< most hits that a pattern reserves at a time
  std::atomic<std::uint64_t> reserved_{0};
  std::vector<OfPattern> patterns_;  ///< the first `used_` are in use
  std::size_t used_ = 0;
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
};

}  // namespace gsx
