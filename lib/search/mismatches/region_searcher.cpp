#include "search/mismatches/region_searcher.hpp"

#include "search/mismatches/chosen_hits.hpp"

namespace gsx {
namespace {

LocateRequest all_of(Strands strands) {
  return {strands, unlimited};
}
LocateRequest all_of(const LocateRequest& request) {
  return all_of(request.strands);
}
MismatchRequest all_of(const MismatchRequest& request) {
  return {request.strands, request.mismatches, unlimited};
}
std::uint32_t mismatches_of(const LocateRequest&) {
  return 0;
}
std::uint32_t mismatches_of(const MismatchRequest& request) {
  return request.mismatches;
}

void put(const MismatchCounts& found, std::vector<StrandCounts>& counts) {
  counts.resize(found.patterns());
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = found.total(i);
}
void put(MismatchCounts& found, MismatchCounts& counts) {
  counts = std::move(found);
}

/// Calls take(pattern, hit) for the hits within regions, in output order.
template <class Searcher, class Batch, class Request, class Take>
void for_each_within(const Searcher& searcher, const Batch& patterns, const Request& request,
                     const TextRegions& regions, const Take& take) {
  searcher.stream(patterns, request, [&](const HitChunk& chunk) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i;
      const std::uint64_t length = patterns[pattern].size();
      for (; next < chunk.ends[i]; ++next)
        if (regions.hold(chunk.hits[next].position(), length)) take(pattern, chunk.hits[next]);
    }
  });
}

}  // namespace

template <class Kind>
void RegionSearcherOf<Kind>::count(const typename Kind::Batch& patterns,
                                   typename Kind::CountRequest request,
                                   typename Kind::Counts& counts) const {
  const auto all = all_of(request);
  MismatchCounts found;
  count_chosen(patterns.size(), mismatches_of(all), found,
               [&](const auto& take) { for_each_within(*all_, patterns, all, regions_, take); });
  put(found, counts);
}

template <class Kind>
void RegionSearcherOf<Kind>::stream(const typename Kind::Batch& patterns,
                                    const typename Kind::Request& request,
                                    const HitSink& sink) const {
  const auto all = all_of(request);
  stream_chosen(
      patterns.size(), mismatches_of(all), request.max_hits,
      [&](const auto& take) { for_each_within(*all_, patterns, all, regions_, take); }, sink);
}

template class RegionSearcherOf<ExactSearch>;
template class RegionSearcherOf<MismatchSearch>;

}  // namespace gsx
