// Exact ranks of the syncmers of a text, by which suffixes that agree on long stretches compare.
#pragma once

#include <cstdint>
#include <functional>

#include "base/progress.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/groups/tied_groups.hpp"
#include "index/sa/ranks/rank_bit_vector.hpp"
#include "index/sa/ranks/syncmer_rule.hpp"
#include "index/sa/suffix_key.hpp"

namespace gsx {

/// The ranks of the suffixes that start at syncmers, a sparse sample of the text. The text sorts
/// them first. Syncmers that agree on rule.depth() symbols have their next syncmers at the same
/// distance; so prefix doubling can count distances in syncmers, and needs one rank per syncmer,
/// which is one for about 16 positions of DNA.
/// Memory: one entry per syncmer, another one while ranking, and 1.33 bits per position.
template <class Pos>
class SyncmerRanks {
 public:
  /// Returns memory for so many ranks, which outlives the SyncmerRanks.
  using Allocate = std::function<Pos*(std::uint64_t)>;

  SyncmerRanks(const TextView& text, GroupSorter<Pos>& sorter, const Allocate& allocate);
  SyncmerRanks(const SyncmerRanks&) = delete;

  /// Number of syncmers.
  std::uint64_t size() const { return size_; }

  /// The rank of the first syncmer at p or after it. Ranks order two suffixes that agree on
  /// SyncmerRule::depth() symbols. Cost: two cache lines.
  std::uint64_t rank(std::uint64_t p) const { return ranks_[syncmers_.rank(p)]; }

  /// Sorts `groups` completely. Pre: they agree on SyncmerRule::depth() symbols.
  void sort(TiedGroups<Pos>& groups, const ProgressReport& progress) const;

 private:
  void mark_syncmers();
  void sort_by_text(Pos* order, TieBits& ties);

  SuffixKeys keys_;
  SyncmerRule rule_;
  GroupSorter<Pos>& sorter_;
  RankBitVector syncmers_;
  std::uint64_t size_ = 0;
  Pos* ranks_ = nullptr;
};

}  // namespace gsx
