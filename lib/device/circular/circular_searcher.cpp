#include "device/circular/circular_searcher.hpp"

#include <algorithm>
#include <optional>

#include "device/circular/origin_hits.hpp"

namespace gsx {
namespace {

/// Keeps the places that do not span an origin, and then as many of the others as are wanted.
class KeepOriginsLast {
 public:
  explicit KeepOriginsLast(std::uint64_t most) : most_(most) {}
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

/// Keeps the places with the fewest mismatches, given the counts of all.
class KeepFewest {
 public:
  /// Keeps all places if `most` is unlimited, without a look at the counts.
  KeepFewest(const MismatchCounts& counts, std::uint64_t most) : counts_(counts), most_(most) {}
  void begin(std::size_t pattern, std::uint64_t) {
    if (most_ != unlimited) fewest_.emplace(counts_, pattern, most_);
  }
  bool take(const Hit& hit, bool) { return !fewest_ || fewest_->take(hit); }

 private:
  const MismatchCounts& counts_;
  std::uint64_t most_;
  std::optional<FewestMismatches> fewest_;
};

/// Calls search(first, last, origins) for runs of patterns with a bounded number of origin hits.
template <class Set, class Stream, class Search>
void for_each_run(const Origins& origins, const Set& patterns, std::uint64_t most,
                  const Stream& stream, const Search& search) {
  for (std::size_t first = 0; first < patterns.size();) {
    const OriginHits found =
        origin_hits(origins, patterns.some(first, patterns.size()), most, stream);
    const std::size_t last = first + found.ends.size();
    search(first, last, found);
    first = last;
  }
}

auto exactly(Strands strands) {
  return [strands](const Junctions& junctions, const Patterns& patterns, const HitSink& sink) {
    junctions.exact().stream(patterns, {strands, unlimited}, sink);
  };
}

auto with_mismatches(const MismatchRequest& request) {
  return [request](const Junctions& junctions, const SetPatterns& patterns, const HitSink& sink) {
    junctions.mismatched().stream(patterns, {request.strands, request.mismatches}, sink);
  };
}

}  // namespace

void CircularSearcher::count(const Patterns& patterns, Strands strands,
                             std::vector<StrandCounts>& counts) const {
  others_->count(patterns, strands, counts);
  origins_->visit(patterns, exactly(strands), [&](std::size_t pattern, const Hit& hit) {
    ++(hit.is_reverse() ? counts[pattern].reverse : counts[pattern].forward);
  });
}

void CircularSearcher::stream(const Patterns& patterns, const LocateRequest& request,
                              const HitSink& sink) const {
  KeepOriginsLast keep(request.max_hits);
  for_each_run(*origins_, patterns, memory_.hits_at_once, exactly(request.strands),
               [&](std::size_t first, std::size_t last, const OriginHits& origins) {
                 OriginMerge merge(origins, first, request.max_hits, keep, sink);
                 others_->stream(patterns.some(first, last), request,
                                 [&](const HitChunk& chunk) { merge.take(chunk); });
               });
}

void CircularMismatchSearcher::count(const SetPatterns& patterns, const MismatchRequest& request,
                                     MismatchCounts& counts) const {
  others_->count(patterns, request, counts);
  origins_->visit(patterns, with_mismatches(request), [&](std::size_t pattern, const Hit& hit) {
    ++counts.of(pattern, hit.is_reverse())[hit.mismatches()];
  });
}

/// The counts of those patterns that have places at an origin; of the others, zero.
MismatchCounts CircularMismatchSearcher::counts_by_class(const SetPatterns& patterns,
                                                         const MismatchRequest& request,
                                                         const OriginHits& origins) const {
  SetPatternBuffer some;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (origins[i].empty()) continue;
    some.add(patterns[i]);
    numbers.push_back(i);
  }
  MismatchCounts counts, counts_of_some;
  counts.reset(patterns.size(), request.mismatches);
  if (numbers.empty()) return counts;
  others_->count(some.patterns(), request, counts_of_some);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    for (const bool reverse : {false, true})
      std::ranges::copy(counts_of_some.of(n, reverse), counts.of(numbers[n], reverse).begin());
    for (const Hit& hit : origins[numbers[n]])
      ++counts.of(numbers[n], hit.is_reverse())[hit.mismatches()];
  }
  return counts;
}

void CircularMismatchSearcher::stream(const SetPatterns& patterns, const MismatchRequest& request,
                                      const HitSink& sink) const {
  for_each_run(*origins_, patterns, memory_.hits_at_once, with_mismatches(request),
               [&](std::size_t first, std::size_t last, const OriginHits& origins) {
                 const SetPatterns some = patterns.some(first, last);
                 MismatchCounts counts;
                 if (request.max_hits != unlimited)
                   counts = counts_by_class(some, request, origins);
                 KeepFewest keep(counts, request.max_hits);
                 OriginMerge merge(origins, first, request.max_hits, keep, sink);
                 others_->stream(some, request, [&](const HitChunk& chunk) { merge.take(chunk); });
               });
}

std::unique_ptr<Searcher> with_origins(std::unique_ptr<Searcher> others, const TextView& text,
                                       const RecordsView& records,
                                       std::span<const std::uint64_t> circular,
                                       const JunctionOptions& options) {
  if (circular.empty()) return others;
  return std::make_unique<CircularSearcher>(
      std::move(others), std::make_shared<const Origins>(text, records, circular, options),
      options.memory);
}

std::unique_ptr<MismatchSearcher> with_origins(std::unique_ptr<MismatchSearcher> others,
                                               const TextView& text, const RecordsView& records,
                                               std::span<const std::uint64_t> circular,
                                               const JunctionOptions& options) {
  if (circular.empty()) return others;
  return std::make_unique<CircularMismatchSearcher>(
      std::move(others), std::make_shared<const Origins>(text, records, circular, options),
      options.memory);
}

}  // namespace gsx
