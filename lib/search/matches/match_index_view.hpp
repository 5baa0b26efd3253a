// An index as walks on a GPU read it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "index/fm/fm_view.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Does for MatchWalk what SearchedIndex does, with the whole suffix array where there is one.
template <class Pos>
struct MatchIndexView {
  FmView fm;
  TextView text;
  const Pos* sa;         ///< the whole suffix array, or null
  std::uint32_t* fault;  ///< becomes 1 when the index leads outside itself

  GSX_HD bool keeps(Pos row) const { return sa != nullptr || fm.sampling.keeps(row); }
  GSX_HD std::uint64_t position_of_kept(Pos row) const {
    return sa != nullptr ? sa[row] : fm.samples[fm.sampling.block(row)];
  }
  GSX_HD bool step_back(Pos& row, std::uint64_t& steps, std::uint64_t& position, bool kept) const {
    if (sa == nullptr) return fm.step_back(row, steps, position, kept);
    position = sa[row];
    return true;
  }
  GSX_HD void raise_fault() const { *fault = 1; }

  GSX_HD void prefetch_kmer(std::uint64_t slot) const {
    prefetch_on_device(fm.kmers.address(slot));
  }
  GSX_HD void prefetch_kept(Pos row) const {
    if (sa != nullptr) {
      prefetch_on_device(sa + row);
    } else {
      prefetch_on_device(fm.sample_address(row));
    }
  }
  /// A wrong index may give a position that is not in the text.
  GSX_HD void prefetch_text(std::uint64_t position) const {
    if (position > text.length()) return;
    prefetch_on_device(text.symbols.bytes + (position * text.symbols.bits >> 3));
  }
  GSX_HD void prefetch_ranks_of(Interval<Pos> rows) const {
    const QuadView& level = fm.bwt.levels[0];
    const Pos first = rows.begin / QuadBlock::digits, last = rows.end / QuadBlock::digits;
    prefetch_on_device(level.blocks + first);
    if (last != first) prefetch_on_device(level.blocks + last);
  }
};
static_assert(std::is_trivially_copyable_v<MatchIndexView<std::uint32_t>>);

}  // namespace gsx
