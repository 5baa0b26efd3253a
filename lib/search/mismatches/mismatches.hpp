// Searching with mismatches: what is asked, what is counted, and who answers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "index/store/index.hpp"
#include "search/exact/hits.hpp"
#include "search/mismatches/set_patterns.hpp"
#include "search/searcher_of.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// What to find: every place of a pattern, on the strands, with at most `mismatches` mismatches
/// (Hamming distance), inside one segment. A place is a start in the text and a strand. The reverse
/// strand is searched for the pattern's reverse complement; a pattern that is its own is found on
/// both. A pattern that cannot be asked (can_be_asked()) has no places.
struct MismatchRequest {
  Strands strands = Strands::both;
  std::uint32_t mismatches = 0;        ///< 0 to most_mismatches
  std::uint64_t max_hits = unlimited;  ///< most places to report per pattern: those with the fewest
                                       ///< mismatches, and among equal ones the first in order
};

/// Numbers of places of the patterns of a batch, by strand and by number of mismatches.
class MismatchCounts {
 public:
  /// Forgets all counts and makes room for `patterns` patterns with up to `mismatches` mismatches.
  void reset(std::size_t patterns, std::uint32_t mismatches) {
    classes_ = mismatches + 1;
    counts_.assign(patterns * 2 * classes_, 0);
  }
  /// Replaces the counts of the patterns from `first` on. Pre: as many classes.
  void put(std::size_t first, const MismatchCounts& some) {
    std::copy(some.counts_.begin(), some.counts_.end(),
              counts_.begin() + static_cast<std::ptrdiff_t>(first * 2 * classes_));
  }
  std::size_t patterns() const { return classes_ == 0 ? 0 : counts_.size() / (2 * classes_); }
  /// Classes of a pattern: 0 to `mismatches` mismatches.
  std::size_t classes() const { return classes_; }
  /// The counts of a pattern on one strand, by number of mismatches.
  std::span<std::uint64_t> of(std::size_t pattern, bool reverse) {
    return std::span(counts_).subspan((pattern * 2 + (reverse ? 1 : 0)) * classes_, classes_);
  }
  std::span<const std::uint64_t> of(std::size_t pattern, bool reverse) const {
    return std::span(counts_).subspan((pattern * 2 + (reverse ? 1 : 0)) * classes_, classes_);
  }
  /// All of them, by pattern, strand and number of mismatches.
  std::span<std::uint64_t> all() { return counts_; }
  /// Places of a pattern with exactly `mismatches` mismatches, on both strands.
  std::uint64_t at(std::size_t pattern, std::uint32_t mismatches) const {
    return of(pattern, false)[mismatches] + of(pattern, true)[mismatches];
  }
  /// Adds the counts of the same patterns elsewhere.
  void add(const MismatchCounts& others) {
    std::transform(counts_.begin(), counts_.end(), others.counts_.begin(), counts_.begin(),
                   std::plus<>());
  }
  /// The fewest mismatches of any place of a pattern; as many as are allowed if it has no place.
  std::uint32_t fewest(std::size_t pattern) const {
    std::uint32_t mismatches = 0;
    while (mismatches + 1 < classes_ && at(pattern, mismatches) == 0)
      ++mismatches;
    return mismatches;
  }
  StrandCounts total(std::size_t pattern) const {
    const auto sum = [](std::span<const std::uint64_t> counts) {
      return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    };
    return {sum(of(pattern, false)), sum(of(pattern, true))};
  }

 private:
  std::size_t classes_ = 0;
  std::vector<std::uint64_t> counts_;  ///< [pattern][strand][mismatches]
};

/// What is searched: a text of bases, and the index that it belongs to, if there is one. Long
/// patterns are then looked up; without it, the text is read. Both must outlive the searcher.
struct MismatchTarget {
  TextView text;
  const Index* index = nullptr;
};

class HitProgress;
class MismatchSearcher;

/// The search for places that differ from a pattern in few symbols.
struct MismatchSearch {
  using Batch = SetPatterns;
  using Request = MismatchRequest;
  using CountRequest = const MismatchRequest&;  ///< its max_hits does not matter
  using Counts = MismatchCounts;
  using Sink = HitSink;
  using Progress = HitProgress;
  using Searcher = MismatchSearcher;
  struct Setup {
    MismatchTarget target;  ///< a text of DNA
    int threads = 1;
    SearchMemory memory = {};
  };
};

/// Finds all places with mismatches, completely, with their numbers of mismatches; those of a
/// pattern in output order. A call uses as many threads as other calls leave it.
class MismatchSearcher : public SearcherOf<MismatchSearch> {
 public:
  /// Gives `sink` the same places in any order, so that a text may be searched part by part: the
  /// chunks of a pattern need not follow one another, and their counts tell nothing. Within a
  /// chunk, the hits of a pattern are in output order. The request's max_hits does not matter.
  virtual void stream_unordered(const SetPatterns& patterns, const MismatchRequest& request,
                                const HitSink& sink) const {
    stream(patterns, {request.strands, request.mismatches}, sink);
  }
};

/// Of the places of a pattern, taken in output order, lets through those with the fewest
/// mismatches, among equal ones the first.
class FewestMismatches {
 public:
  /// Lets through `most` of the places that were counted.
  FewestMismatches(const MismatchCounts& counts, std::size_t pattern, std::uint64_t most) {
    for (std::uint32_t m = 0; m < counts.classes(); ++m) {
      left_.push_back(std::min(counts.at(pattern, m), most));
      most -= left_.back();
    }
  }
  bool take(const Hit& hit) {
    std::uint64_t& left = left_[hit.mismatches()];
    if (left == 0) return false;
    --left;
    return true;
  }

 private:
  std::vector<std::uint64_t> left_;  ///< to be let through, by number of mismatches
};

/// Of the hits from number `begin` on, which are in output order, keeps the `most` with the fewest
/// mismatches, among equal ones the first; in output order. Cost: two passes.
void keep_fewest_mismatches(std::vector<Hit>& hits, std::uint64_t most, std::size_t begin = 0);

}  // namespace gsx
