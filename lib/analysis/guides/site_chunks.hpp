// Sites with and without bulges, chunk by chunk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "search/mismatches/mismatches.hpp"

namespace gsx {

/// Hits of guides, whose places may have bulges. Those of a guide are sorted by start, strand and
/// end.
struct SiteChunk : HitChunk {
  std::span<const Bulge> bulges;  ///< of each hit; empty if none were asked for
};
using SiteSink = std::function<void(const SiteChunk& chunk)>;

/// Numbers of sites of a guide.
class SiteNumbers {
 public:
  SiteNumbers(const BulgeLimits& limits, std::uint32_t mismatches)
      : classes_(mismatches + 1),
        by_rank_((std::max(limits.dna, limits.rna) + 1) * std::size_t{classes_}, 0) {}

  void count(const Hit& hit, Bulge bulge) {
    ++(hit.is_reverse() ? strands_.reverse : strands_.forward);
    ++by_rank_[rank_of(hit, bulge)];
  }
  const StrandCounts& strands() const { return strands_; }
  /// How many sites to keep of each rank so that at most `most` are kept, those of the first ranks.
  std::vector<std::uint64_t> kept(std::uint64_t most) const;
  /// Sites with fewer bulged bases, then those with fewer mismatches, come first.
  std::size_t rank_of(const Hit& hit, Bulge bulge) const {
    return std::size_t{size_of(bulge)} * classes_ + hit.mismatches();
  }

 private:
  std::uint32_t classes_;
  StrandCounts strands_;
  std::vector<std::uint64_t> by_rank_;
};

/// Makes chunks of the sites of guides that follow one another, in output order.
class SiteChunks {
 public:
  /// Of each guide, passes on at most `max_hits` sites: those that rank first, among equal ones the
  /// first in output order. A chunk has at most `at_once` sites.
  SiteChunks(std::uint64_t max_hits, std::uint64_t at_once, const SiteSink& sink)
      : max_hits_(max_hits),
        at_once_(std::clamp<std::uint64_t>(at_once, 1, usual_hits)),
        sink_(sink) {}

  /// The sites of the next guide follow. Refers to `numbers` until end_guide().
  void begin_guide(const SiteNumbers& numbers);
  void add(const Hit& hit, Bulge bulge) {
    std::uint64_t& left = left_[numbers_->rank_of(hit, bulge)];
    if (left == 0) return;
    --left;
    if (hits_.size() >= at_once_) flush_within();
    hits_.push_back(hit);
    bulges_.push_back(bulge);
  }
  void end_guide();
  /// Passes on what is left. Call it after the last guide.
  void flush();

 private:
  static constexpr std::size_t usual_hits = std::size_t{1} << 16;
  void flush_within();
  void give();

  std::uint64_t max_hits_;
  std::size_t at_once_;  ///< sites of a chunk
  const SiteSink& sink_;
  const SiteNumbers* numbers_ = nullptr;
  std::vector<std::uint64_t> left_;
  std::size_t first_ = 0;     ///< the first guide of the chunk
  std::uint64_t before_ = 0;  ///< its hits in earlier chunks
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
  std::vector<Bulge> bulges_;
};

}  // namespace gsx
