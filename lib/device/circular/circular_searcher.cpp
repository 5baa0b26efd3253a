#include "device/circular/circular_searcher.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "device/circular/origin_hits.hpp"

namespace gsx {
namespace {

Strands count_request(const LocateRequest& request) {
  return request.strands;
}
const MismatchRequest& count_request(const MismatchRequest& request) {
  return request;
}

/// How junctions are searched, whatever max_hits is.
auto all_of(Strands strands) {
  return [strands](const Junctions& junctions, const Patterns& patterns, const HitSink& sink) {
    junctions.exact().stream(patterns, {strands, unlimited}, sink);
  };
}
auto all_of(const MismatchRequest& request) {
  return [request](const Junctions& junctions, const SetPatterns& patterns, const HitSink& sink) {
    junctions.mismatched().stream(patterns, {request.strands, request.mismatches}, sink);
  };
}

void add(const Hit& hit, std::size_t pattern, std::vector<StrandCounts>& counts) {
  ++(hit.is_reverse() ? counts[pattern].reverse : counts[pattern].forward);
}
void add(const Hit& hit, std::size_t pattern, MismatchCounts& counts) {
  ++counts.of(pattern, hit.is_reverse())[hit.mismatches()];
}

/// Keeps the places that do not span an origin, and then as many of the others as are wanted.
class KeepOriginsLast {
 public:
  KeepOriginsLast(const Searcher&, const Patterns&, const LocateRequest& request, const OriginHits&)
      : most_(request.max_hits) {}
  void begin(std::size_t, std::uint64_t total) { left_ = most_ - std::min(most_, total); }
  bool take(const Hit&, bool spans) {
    if (!spans) return true;
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  std::uint64_t most_;
  std::uint64_t left_ = 0;
};

/// Keeps the places with the fewest mismatches.
class KeepFewest {
 public:
  /// Counts the places of the patterns that have some at an origin, unless all are kept.
  KeepFewest(const MismatchSearcher& others, const SetPatterns& patterns,
             const MismatchRequest& request, const OriginHits& origins)
      : most_(request.max_hits) {
    if (most_ == unlimited) return;
    SetPatternBuffer some;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (origins[i].empty()) continue;
      some.add(patterns[i]);
      numbers.push_back(i);
    }
    counts_.reset(patterns.size(), request.mismatches);
    if (numbers.empty()) return;
    MismatchCounts counts_of_some;
    others.count(some.patterns(), request, counts_of_some);
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      for (const bool reverse : {false, true})
        std::ranges::copy(counts_of_some.of(n, reverse), counts_.of(numbers[n], reverse).begin());
      for (const Hit& hit : origins[numbers[n]])
        add(hit, numbers[n], counts_);
    }
  }
  void begin(std::size_t pattern, std::uint64_t) {
    if (most_ != unlimited) fewest_.emplace(counts_, pattern, most_);
  }
  bool take(const Hit& hit, bool) { return !fewest_ || fewest_->take(hit); }

 private:
  std::uint64_t most_;
  MismatchCounts counts_;
  std::optional<FewestMismatches> fewest_;
};

template <class Kind>
using Keep = std::conditional_t<std::is_same_v<Kind, ExactSearch>, KeepOriginsLast, KeepFewest>;

}  // namespace

template <class Kind>
void CircularSearcherOf<Kind>::count(const typename Kind::Batch& patterns,
                                     typename Kind::CountRequest request,
                                     typename Kind::Counts& counts) const {
  others_->count(patterns, request, counts);
  origins_->visit(patterns, all_of(request),
                  [&](std::size_t pattern, const Hit& hit) { add(hit, pattern, counts); });
}

template <class Kind>
void CircularSearcherOf<Kind>::stream(const typename Kind::Batch& patterns,
                                      const typename Kind::Request& request,
                                      const HitSink& sink) const {
  // Some patterns at a time, of which a bounded number of places span origins.
  for (std::size_t first = 0; first < patterns.size();) {
    const OriginHits origins = origin_hits(*origins_, patterns.some(first, patterns.size()),
                                           memory_.hits_at_once, all_of(count_request(request)));
    const std::size_t last = first + origins.ends.size();
    const typename Kind::Batch some = patterns.some(first, last);
    Keep<Kind> keep(*others_, some, request, origins);
    OriginMerge merge(origins, first, request.max_hits, keep, sink);
    others_->stream(some, request, [&](const HitChunk& chunk) { merge.take(chunk); });
    first = last;
  }
}

template class CircularSearcherOf<ExactSearch>;
template class CircularSearcherOf<MismatchSearch>;

}  // namespace gsx
