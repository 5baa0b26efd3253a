// The inner loops of searching on the CPU: many searches in flight, so that their cache misses
// overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu_path.hpp"
#include "index/fm/fm_view.hpp"
#include "search/exact/index_fault.hpp"
#include "search/exact/search_state.hpp"
#include "search/exact/searcher.hpp"
#include "search/exact/walk_steps.hpp"

namespace gsx {

/// What one strand of a pattern matches.
template <class Pos>
struct Found {
  Pos first;     ///< of the rows whose suffixes start with it; the text position if it is located
  Pos count;     ///< occurrences
  bool located;  ///< it occurs once, and `first` is where

  /// Its only position, if it is located. Otherwise it has `count` rows from `first` on.
  static Found at(Pos position) { return {position, 1, true}; }
};

/// The index that is searched: its ranks may be a copy, its text is what patterns are compared
/// with.
struct SearchedIndex {
  FmView fm;
  TextView text;

  // For walks that take one access after the other:

  /// Whether the position of a row is one access away, and that position. Pre of it: it is.
  bool keeps(std::uint64_t row) const { return fm.sampling.keeps(row); }
  std::uint64_t position_of_kept(std::uint64_t row) const {
    return fm.samples[fm.sampling.block(row)];
  }
  /// As FmView::step_back.
  template <class Pos>
  bool step_back(Pos& row, std::uint64_t& steps, std::uint64_t& position, bool kept) const {
    return fm.step_back(row, steps, position, kept);
  }
  /// Throws CorruptIndexError.
  [[noreturn]] static void raise_fault() { throw_index_fault(); }

  /// What the walk reads next. They are always inlined, as a compiler may take a function that only
  /// prefetches for one without effect, and drop its calls.
  GSX_HD void prefetch_kmer(std::uint64_t slot) const {
    prefetch_bytes(fm.kmers.address(slot), 16);
  }
  GSX_HD void prefetch_kept(std::uint64_t row) const { prefetch_bytes(fm.sample_address(row), 8); }
  GSX_HD void prefetch_text(std::uint64_t position) const {
    __builtin_prefetch(text.symbols.bytes + (position * text.symbols.bits >> 3));
  }
  template <class Pos>
  GSX_HD void prefetch_ranks_of(Interval<Pos> rows) const {
    NoMeter meter;
    prefetch_ranks(fm.bwt.levels[0], rows.begin, rows.end, meter);
  }
};

/// The loops for one width of positions, compiled for one CpuPath.
template <class Pos>
struct SearchLoops {
  /// Sets found[2 i] to what pattern i matches and found[2 i + 1] to what its reverse complement
  /// matches, each if asked for; leaves the others alone. Throws CorruptIndexError if ranks or
  /// samples lead outside the index, or to text that does not match what has been searched.
  ///
  /// A search goes back symbol by symbol until one row is left and that row is sampled. The sample
  /// then tells where the pattern must begin, and it is compared with the text. Cost: one cache
  /// line per level for each of some log n / log sigma + sample_rate symbols, or two while the
  /// interval is wide; then one for the sample, and those of the text.
  void (*search)(const SearchedIndex& index, const Patterns& patterns, bool forward, bool reverse,
                 Found<Pos>* found);
  /// Sets positions[i] to the text position of the suffix in rows[i]. Throws CorruptIndexError as
  /// above. Cost: about sample_rate cache lines per row and level.
  void (*locate)(const FmView& fm, const Pos* rows, std::uint64_t* positions, std::size_t count);
};

template <class Pos>
SearchLoops<Pos> search_loops(CpuPath path);

/// How many cache lines SearchLoops::search fetches for the patterns on both strands, or on one if
/// there are no complements: of the k-mer table, rank blocks, samples and text. (Those of the
/// superblocks and the segment table are few, and stay in a cache.) Counts them while it searches.
std::uint64_t count_search_lines(const SearchedIndex& index, const Patterns& patterns,
                                 bool complements);

}  // namespace gsx
