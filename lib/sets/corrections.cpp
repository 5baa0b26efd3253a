#include "sets/corrections.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "sets/near_entries.hpp"

namespace gsx {
namespace {

/// The most frequent of some sequences, and whether another one is as frequent.
class MostFrequent {
 public:
  explicit MostFrequent(const SequenceSet& set) : set_(set) {}
  void offer(std::uint32_t number) {
    const std::uint64_t count = set_.count(number);
    if (any_ && count < count_) return;
    tied_ = any_ && count == count_;
    any_ = true;
    count_ = count;
    number_ = number;
  }
  bool any() const { return any_; }
  bool tied() const { return tied_; }
  std::uint32_t number() const { return number_; }

 private:
  const SequenceSet& set_;
  bool any_ = false, tied_ = false;
  std::uint64_t count_ = 0;
  std::uint32_t number_ = 0;
};

Correction nearest_entry(const SequenceSet& set, const SequenceSet& whitelist, std::uint64_t i,
                         std::span<const std::uint32_t> entries) {
  unsigned nearest = ~0u;
  std::uint32_t only = 0;
  std::uint64_t as_near = 0;
  std::vector<unsigned> distances;
  for (const std::uint32_t entry : entries) {
    const unsigned distance = distance_between(set, i, whitelist, entry);
    distances.push_back(distance);
    as_near = distance < nearest ? 1 : as_near + (distance == nearest ? 1 : 0);
    if (distance < nearest) only = entry;
    nearest = std::min(nearest, distance);
  }
  const auto shown = static_cast<std::uint8_t>(nearest);
  if (nearest == 0) return {CorrectionKind::exact, 0, only};
  if (as_near == 1) return {CorrectionKind::corrected, shown, only};
  MostFrequent best(whitelist);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (distances[e] == nearest && explains(whitelist.count(entries[e]), set.count(i)))
      best.offer(entries[e]);
  }
  if (!best.any() || best.tied()) return {CorrectionKind::ambiguous, 0, 0};
  return {CorrectionKind::corrected, shown, best.number()};
}

/// Sequences that a thread corrects at a time.
constexpr std::uint64_t at_once = std::uint64_t{1} << 12;
/// Keys that are looked up in the time in which a search of all neighbours handles one.
constexpr std::uint64_t lookups_per_key = 8;

/// Corrects each sequence of a set by looking up what differs from it in one symbol; false if that
/// would take longer than searching all neighbours, or more memory than there is.
bool look_up_near(const SequenceSet& set, const SequenceSet& whitelist,
                  const NeighborOptions& options, std::vector<Correction>& all) {
  const std::uint64_t keys = set.size() + whitelist.size();
  return set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    if (view.size * NearEntries<Words>::lookups(view.shape) > lookups_per_key * keys) return false;
    if (KeyLookup<Words>::bytes_for(whitelist.size()) > options.memory_bytes) return false;
    const SequenceSetView<Words> entries = whitelist.view<Words>();
    const KeyLookup<Words> lookup(entries);
    parallel_for(options.threads, (view.size + at_once - 1) / at_once, [&](std::uint64_t t, int) {
      NearEntries<Words> near(lookup, view.shape);
      for (std::uint64_t i = t * at_once; i < std::min(view.size, (t + 1) * at_once); ++i) {
        const SequenceKey<Words>& key = view.keys[i];
        const std::uint64_t same = lookup.find(key, lookup.bucket_of(key));
        if (same != KeyLookup<Words>::none) {
          all[i] = {CorrectionKind::exact, 0, static_cast<std::uint32_t>(same)};
        } else if (const auto& found = near.of(key); !found.empty()) {
          all[i] = nearest_entry(set, whitelist, i, found);
        }
      }
    });
    return true;
  });
}

}  // namespace

std::vector<Correction> correct_by_counts(const SequenceSet& set, unsigned distance,
                                          const NeighborOptions& options) {
  std::vector<Correction> all(set.size());
  find_neighbors(set, {distance, NeighborKind::explanations}, options,
                 [&](const NeighborChunk& chunk) {
                   for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) {
                     MostFrequent best(set);
                     for (const std::uint32_t other : chunk.of(i))
                       best.offer(other);
                     const bool corrected = best.any() && !best.tied();
                     all[i] = {corrected     ? CorrectionKind::corrected
                               : best.tied() ? CorrectionKind::ambiguous
                                             : CorrectionKind::exact,
                               0, corrected ? best.number() : static_cast<std::uint32_t>(i)};
                   }
                 });
  // Counts rise along a chain, so it ends.
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    std::uint32_t end = all[i].target;
    while (all[end].target != end)
      end = all[end].target;
    for (std::uint32_t at = static_cast<std::uint32_t>(i); at != end;)
      at = std::exchange(all[at].target, end);
    all[i].distance = static_cast<std::uint8_t>(distance_between(set, i, set, end));
  }
  return all;
}

std::vector<Correction> correct_to_whitelist(const SequenceSet& set, const SequenceSet& whitelist,
                                             unsigned distance, const NeighborOptions& options) {
  std::vector<Correction> all(set.size(), {CorrectionKind::unmatched, 0, 0});
  if (set.size() == 0 || whitelist.size() == 0) return all;
  if (distance == 1 && options.finder == nullptr && look_up_near(set, whitelist, options, all))
    return all;
  find_neighbors_between(
      set, whitelist, {distance, NeighborKind::later}, options, [&](const NeighborChunk& chunk) {
        const std::uint64_t tasks = (chunk.end - chunk.begin + at_once - 1) / at_once;
        parallel_for(options.threads, tasks, [&](std::uint64_t task, int) {
          const std::uint64_t begin = chunk.begin + task * at_once;
          for (std::uint64_t i = begin; i < std::min(chunk.end, begin + at_once); ++i)
            if (!chunk.of(i).empty()) all[i] = nearest_entry(set, whitelist, i, chunk.of(i));
        });
      });
  return all;
}

void take_counts(SequenceSet& whitelist, const SequenceSet& set) {
  set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    const SequenceSetView<Words> entries = whitelist.view<Words>();
    std::uint64_t at = 0;
    for (std::uint64_t e = 0; e < entries.size; ++e) {
      while (at < view.size && view.keys[at] < entries.keys[e])
        ++at;
      const bool found = at < view.size && view.keys[at] == entries.keys[e];
      whitelist.set_count(e, found ? view.counts[at] : 0);
    }
  });
}

void CorrectionFigures::add(CorrectionKind kind, std::uint64_t count) {
  std::uint64_t* const numbers[] = {&exact, &corrected, &ambiguous, &unmatched};
  *numbers[static_cast<std::size_t>(kind)] += count;
}

}  // namespace gsx
