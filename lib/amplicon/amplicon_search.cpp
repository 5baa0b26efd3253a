#include "amplicon/amplicon_search.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "report/target_finder.hpp"

namespace gsx {

/// Whether a place has few enough mismatches at the 3' end of the primer.
bool AmpliconSearch::has_end(const Hit& hit, const PlaceParts& parts,
                             std::span<const BaseSet> pattern) const {
  const std::size_t bases = std::min<std::size_t>(primers_.end_bases, pattern.size());
  std::uint32_t mismatches = 0;
  for (std::size_t i = pattern.size() - bases; i < pattern.size(); ++i) {
    const std::size_t at = hit.is_reverse() ? pattern.size() - 1 - i : i;
    const auto code = static_cast<std::uint32_t>(text_.symbols[parts.position_of(at)]);
    if (!has_base(pattern[i], hit.is_reverse() ? 3 - code : code)) ++mismatches;
  }
  return mismatches <= primers_.end_mismatches;
}

void AmpliconSearch::add(const PrimerBatch& batch, std::size_t pattern, std::span<const Hit> hits,
                         PrimerPlaces& places) const {
  const std::span<const BaseSet> sets = batch.patterns.patterns()[pattern];
  const bool checks_end =
      primers_.end_mismatches != 0 && primers_.end_mismatches < primers_.mismatches;
  TargetFinder finder(records_, text_.segments);
  for (const Hit& hit : hits) {
    const std::uint64_t start = finder.start_of(hit.position());
    if (checks_end && !has_end(hit, finder.parts(hit.position(), sets.size()), sets)) continue;
    const std::uint64_t record = finder.target(), at = axis_.begin_of(record) + start;
    if (!hit.is_reverse()) {
      places.starts.emplace_back(at, false, hit.mismatches());
      continue;
    }
    const std::uint64_t end = at + sets.size();
    places.ends.emplace_back(end, true, hit.mismatches());
    if (!axis_.is_circular(record)) continue;
    // From starts that are not before it, products come here round the circle.
    const std::uint64_t length = axis_.length_of(record);
    if (start + sets.size() < std::min(length, products_.most))
      places.ends_round.emplace_back(end + length, true, hit.mismatches());
  }
}

void AmpliconSearch::search(const MismatchSearcher& searcher, const PrimerBatch& batch,
                            const PairSink& sink) const {
  const SetPatterns patterns = batch.patterns.patterns();
  std::array<PrimerPlaces, 2> places;  // of the forward and of the reverse primer
  const MismatchRequest request{Strands::both, primers_.mismatches};
  searcher.stream_hits(patterns, request, [&](const HitChunk& chunk) {
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t pattern = chunk.first + i, pair = pattern / 2;
      PrimerPlaces& mine = places[pattern % 2];
      const std::span<const Hit> hits = chunk.hits.subspan(begin, chunk.ends[i] - begin);
      const std::uint64_t before = i == 0 ? chunk.before : 0;
      begin = chunk.ends[i];
      add(batch, pattern, hits, mine);
      if (places[0].size() + places[1].size() > most_places_) {
        throw ResourceError("the primers of the pair '" + shown_name(batch.pairs[pair].name) +
                            "' match at more than " + std::to_string(most_places_) +
                            " places, which is as many as there is memory for");
      }
      const bool whole = before + hits.size() == chunk.counts[i].total();
      if (pattern % 2 == 0 || !whole) continue;
      for (std::size_t p = 0; p < 2; ++p) {
        places[p].length = patterns[2 * pair + p].size();
        places[p].join_ends();
      }
      sink(pair, ProductFinder(places[0], places[1], axis_, products_));
      for (PrimerPlaces& done : places)
        done.clear();
    }
  });
}

}  // namespace gsx
