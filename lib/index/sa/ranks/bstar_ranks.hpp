// Sorting B* suffixes that agree on long stretches by the ranks of later B* suffixes.
#pragma once

#include <cstdint>

#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/groups/tied_groups.hpp"
#include "index/sa/ranks/prefix_doubler.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Prefix doubling among B* suffixes, as in divsufsort. The suffixes of a group that agree on
/// enough symbols have their next B* suffixes at the same distances, so the ranks of these sort
/// the group. Groups agree on different lengths, so each group has a rank distance of its own: the
/// distance to the last B* suffix that the shared symbols determine. When a group has been sorted
/// at distance d, and some of its suffixes are still tied because they met the same group, whose
/// distance is e, their new distance is d + e.
///
/// No two B* suffixes are neighbours, so half of a position identifies one, and ranks and distances
/// together take one entry per position.
template <class Pos>
class BStarRanks {
 public:
  /// `suffixes` holds `size` B* suffixes; `room` is memory for text.length() entries. Both outlive
  /// this object.
  BStarRanks(const TextView& text, GroupSorter<Pos>& sorter, Pos* suffixes, std::uint64_t size,
             Pos* room);

  /// Sorts `groups`, all other B* suffixes being in order, and leaves in them what is still tied:
  /// nothing, or more than `few` suffixes after a round that separated less than a tenth of them.
  void sort(TiedGroups<Pos>& groups, std::uint64_t few);

 private:
  TieBits find_all_distances(TiedGroups<Pos>& groups);
  TieBits find_distances(const TieBits& ties, std::uint64_t depth, TieBits& ready);
  std::uint64_t last_bstar(std::uint64_t p, std::uint64_t depth) const;
  void clear_ranks() const;
  void sort_round(const TieBits& ready, TieBits& left);

  PackedView symbols_;
  GroupSorter<Pos>& sorter_;
  Pos* suffixes_;
  std::uint64_t size_;
  Pos* ranks_;      ///< by half of the position
  Pos* distances_;  ///< by the head of the group
  PrefixDoubler<Pos, 1> doubler_;
};

}  // namespace gsx
