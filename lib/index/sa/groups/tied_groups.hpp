// The groups of suffixes that are still tied after a first sort, and the rounds that refine them.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/suffix_key.hpp"

namespace gsx {

/// Drives the sort of tied groups for both builders: first by more text, as long as that is cheap;
/// what remains tied after that goes to a rank sorter, which the builder chooses.
template <class Pos>
class TiedGroups {
 public:
  /// The groups of `ties` among `size` suffixes agree on `depth` symbols. `sorter`, `suffixes`,
  /// `ties` and `progress` outlive this object.
  TiedGroups(const SuffixKeys& keys, GroupSorter<Pos>& sorter, Pos* suffixes, std::uint64_t size,
             const TieBits& ties, std::uint64_t depth, const ProgressReport& progress);
  TiedGroups(const TiedGroups&) = delete;

  Pos* suffixes() const { return suffixes_; }
  std::uint64_t size() const { return size_; }
  const TieBits& ties() const { return *ties_; }
  /// Symbols on which the suffixes of every group agree.
  std::uint64_t depth() const { return depth_; }
  /// Suffixes that are tied with the row above theirs.
  std::uint64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::uint64_t largest() const;

  /// Fetches more keys from the text, at most `budget` keys for all suffixes together. Each round
  /// fetches twice as many keys per suffix as the last one, because a round also passes once over
  /// all rows. Stops when nothing is tied, when another round would exceed the budget, or after two
  /// rounds in a row that separated less than a tenth of the ties.
  void refine_within(double budget);
  /// Sorts the groups by keys from the text until they agree on at least `depth` symbols.
  void refine(std::uint64_t depth);
  /// Goes on with `ties` instead, which a rank sorter has left; the depth stays.
  void continue_with(TieBits ties);

 private:
  SuffixKeys keys_;
  GroupSorter<Pos>& sorter_;
  Pos* suffixes_;
  std::uint64_t size_;
  TieBits own_{0};  ///< what *ties_ is after the first change
  const TieBits* ties_;
  std::uint64_t depth_;
  const ProgressReport& progress_;
  std::uint64_t count_;
};

}  // namespace gsx
