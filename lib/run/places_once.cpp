#include "run/places_once.hpp"

#include <optional>
#include <vector>

#include "search/mismatches/chosen_hits.hpp"

namespace gsx {
namespace {

/// Calls take(pattern, hit) for each place of the patterns once, in output order.
template <class Take>
void for_each_place_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                         const MismatchRequest& request, const Take& take) {
  std::size_t pattern = 0;
  std::optional<Hit> held;  // of `pattern`, until the next hit is seen
  searcher.stream(patterns, {request.strands, request.mismatches}, [&](const HitChunk& chunk) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      for (; next < chunk.ends[i]; ++next) {
        const Hit hit = chunk.hits[next];
        const bool same = held && pattern == chunk.first + i && held->position() == hit.position();
        if (same && held->mismatches() <= hit.mismatches()) continue;
        if (held && !same) take(pattern, *held);
        pattern = chunk.first + i;
        held = hit;
      }
    }
  });
  if (held) take(pattern, *held);
}

}  // namespace

StrandMeeting strand_meeting(std::span<const BaseSet> pattern, std::uint32_t mismatches) {
  const std::size_t size = pattern.size();
  std::uint64_t unlike = 0;
  bool equal = true;
  for (std::size_t i = 0; i < size; ++i) {
    const BaseSet other = complement_of(pattern[size - 1 - i]);
    equal &= pattern[i] == other;
    // Any base there is a mismatch on a strand at least.
    unlike += (pattern[i] & other & base_sets::any) == 0 ? 1 : 0;
  }
  return equal                                    ? StrandMeeting::always
         : unlike > std::uint64_t{2} * mismatches ? StrandMeeting::never
                                                  : StrandMeeting::sometimes;
}

void count_places_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                       const MismatchRequest& request, MismatchCounts& counts) {
  count_chosen(patterns.size(), request.mismatches, counts,
               [&](const auto& take) { for_each_place_once(searcher, patterns, request, take); });
}

void stream_places_once(const MismatchSearcher& searcher, const SetPatterns& patterns,
                        const MismatchRequest& request, const HitSink& sink) {
  stream_chosen(
      patterns.size(), request.mismatches, request.max_hits,
      [&](const auto& take) { for_each_place_once(searcher, patterns, request, take); }, sink);
}

}  // namespace gsx
