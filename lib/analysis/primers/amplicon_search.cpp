#include "analysis/primers/amplicon_search.hpp"

#include <algorithm>

#include "base/messages.hpp"
#include "base/out_of_memory.hpp"
#include "output/lines/target_finder.hpp"

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

/// Adds hits of a pattern to the places of its pair.
void AmpliconSearch::add(const PrimerBatch& batch, std::size_t pattern, std::span<const Hit> hits,
                         PairPlaces& places) const {
  const std::span<const BaseSet> sets = batch.patterns.patterns()[pattern];
  PrimerPlaces& mine = places[pattern % 2];
  mine.length = sets.size();
  const bool checks_end =
      primers_.end_mismatches != 0 && primers_.end_mismatches < primers_.mismatches;
  TargetFinder finder(records_, text_.segments);
  for (const Hit& hit : hits) {
    const std::uint64_t start = finder.start_of(hit.position());
    if (checks_end && !has_end(hit, finder.parts(hit.position(), sets.size()), sets)) continue;
    const std::uint64_t record = finder.target(), at = axis_.begin_of(record) + start;
    if (!hit.is_reverse()) {
      mine.starts.emplace_back(at, false, hit.mismatches());
      continue;
    }
    const std::uint64_t end = at + sets.size();
    mine.ends.emplace_back(end, true, hit.mismatches());
    if (!axis_.is_circular(record)) continue;
    // From starts that are not before it, products come here round the circle.
    const std::uint64_t length = axis_.length_of(record);
    if (start + sets.size() < std::min(length, products_.most))
      mine.ends_round.emplace_back(end + length, true, hit.mismatches());
  }
  if (places[0].size() + places[1].size() <= most_places_) return;
  throw OutOfMemoryError("the primers of the pair '" + shown_name(batch.pairs[pattern / 2].name) +
                         "' match at more than " + std::to_string(most_places_) +
                         " places, which is as many as there is memory for");
}

std::vector<AmpliconSearch::Task> AmpliconSearch::Chunk::tasks(std::size_t first,
                                                               std::size_t last) const {
  constexpr std::uint64_t most_hits = 1 << 14, pair_hits = 16;  // what a pair costs in itself
  std::vector<Task> tasks;
  std::uint64_t hits = 0;
  for (std::size_t pair = first; pair < last; ++pair) {
    if (tasks.empty() || hits >= most_hits) {
      tasks.push_back({tasks.size(), pair, pair});
      hits = 0;
    }
    hits += pair_hits + hits_of(2 * pair).size() + hits_of(2 * pair + 1).size();
    tasks.back().last = pair + 1;
  }
  return tasks;
}

}  // namespace gsx
