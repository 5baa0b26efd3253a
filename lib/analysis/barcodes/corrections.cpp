#include "analysis/barcodes/corrections.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "search/sets/near_entries.hpp"

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

/// Corrects sequences of a set, one after another, to entries that are near.
class NearestEntry {
 public:
  NearestEntry(const SequenceSet& set, const SequenceSet& whitelist, Confidence confidence,
               NearestEntries* several)
      : set_(set), whitelist_(whitelist), confidence_(confidence), several_(several) {}

  Correction correct(std::uint64_t i, std::span<const std::uint32_t> entries) {
    unsigned nearest = ~0u;
    nearest_.clear();
    for (const std::uint32_t entry : entries) {
      const unsigned distance = distance_between(set_, i, whitelist_, entry);
      if (distance > nearest) continue;
      if (distance < nearest) nearest_.clear();
      nearest = distance;
      nearest_.push_back(entry);
    }
    const auto shown = static_cast<std::uint8_t>(nearest);
    if (nearest == 0) return {CorrectionKind::exact, 0, nearest_.front()};
    if (nearest_.size() == 1) return {CorrectionKind::corrected, shown, nearest_.front()};
    std::ranges::sort(nearest_);
    if (several_ != nullptr) several_->add(static_cast<std::uint32_t>(i), nearest_);
    candidates_.clear();
    for (const std::uint32_t entry : nearest_)
      candidates_.push_back({entry, whitelist_.count(entry), 0});
    const std::optional<std::uint32_t> target = likeliest(candidates_, confidence_);
    if (!target) return {CorrectionKind::ambiguous, 0, 0};
    return {CorrectionKind::corrected, shown, *target};
  }

 private:
  const SequenceSet& set_;
  const SequenceSet& whitelist_;
  Confidence confidence_;
  NearestEntries* several_;
  std::vector<std::uint32_t> nearest_;
  std::vector<Candidate> candidates_;
};

/// Sequences that a thread corrects at a time.
constexpr std::uint64_t at_once = std::uint64_t{1} << 12;

/// Corrects sequences [begin, end) on threads; `correct(nearest, begin, end)` does some of them.
/// What several entries are nearest to is gathered in order.
template <class Correct>
void correct_on_threads(const SequenceSet& set, const SequenceSet& whitelist, Confidence confidence,
                        std::uint64_t begin, std::uint64_t end, int threads,
                        NearestEntries* several, const Correct& correct) {
  const std::uint64_t tasks = (end - begin + at_once - 1) / at_once;
  std::vector<NearestEntries> found(several != nullptr ? tasks : 0);
  parallel_for(threads, tasks, [&](std::uint64_t task, int) {
    NearestEntry nearest(set, whitelist, confidence, several != nullptr ? &found[task] : nullptr);
    const std::uint64_t from = begin + task * at_once;
    correct(nearest, from, std::min(end, from + at_once));
  });
  for (const NearestEntries& some : found)
    several->append(some);
}

/// Keys that are looked up in the time in which a search of all neighbours handles one.
constexpr std::uint64_t lookups_per_key = 8;

/// Corrects each sequence of a set by looking up what differs from it in one symbol; false if that
/// would take longer than searching all neighbours, or more memory than there is.
bool look_up_near(const SequenceSet& set, const SequenceSet& whitelist,
                  const NeighborOptions& options, Confidence confidence,
                  std::vector<Correction>& all, NearestEntries* several) {
  const std::uint64_t keys = set.size() + whitelist.size();
  return set.with_view([&]<unsigned Words>(const SequenceSetView<Words>& view) {
    if (view.size * NearEntries<Words>::lookups(view.shape) > lookups_per_key * keys) return false;
    if (KeyLookup<Words>::bytes_for(whitelist.size()) > options.memory_bytes) return false;
    const SequenceSetView<Words> entries = whitelist.view<Words>();
    const KeyLookup<Words> lookup(entries);
    correct_on_threads(set, whitelist, confidence, 0, view.size, options.threads, several,
                       [&](NearestEntry& nearest, std::uint64_t begin, std::uint64_t end) {
                         NearEntries<Words> near(lookup, view.shape);
                         for (std::uint64_t i = begin; i < end; ++i) {
                           const SequenceKey<Words>& key = view.keys[i];
                           const std::uint64_t same = lookup.find(key, lookup.bucket_of(key));
                           if (same != KeyLookup<Words>::none) {
                             all[i] = {CorrectionKind::exact, 0, static_cast<std::uint32_t>(same)};
                           } else if (const auto& found = near.of(key); !found.empty()) {
                             all[i] = nearest.correct(i, found);
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
                                             unsigned distance, const NeighborOptions& options,
                                             Confidence confidence, NearestEntries* several) {
  std::vector<Correction> all(set.size(), {CorrectionKind::unmatched, 0, 0});
  if (set.size() == 0 || whitelist.size() == 0) return all;
  if (distance == 1 && options.finder == nullptr &&
      look_up_near(set, whitelist, options, confidence, all, several))
    return all;
  find_neighbors_between(
      set, whitelist, {distance, NeighborKind::later}, options, [&](const NeighborChunk& chunk) {
        correct_on_threads(set, whitelist, confidence, chunk.begin, chunk.end, options.threads,
                           several,
                           [&](NearestEntry& nearest, std::uint64_t begin, std::uint64_t end) {
                             for (std::uint64_t i = begin; i < end; ++i)
                               if (!chunk.of(i).empty()) all[i] = nearest.correct(i, chunk.of(i));
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
