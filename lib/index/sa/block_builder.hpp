// The suffix array in blocks, for texts whose whole suffix array does not fit into memory.
#pragma once

#include <cstdint>
#include <functional>

#include "base/progress.hpp"
#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Takes the rows of a suffix array in order: all at once, or some at a time.
using TakeRows = std::function<void(SuffixArray rows)>;

/// The facts about a text that decide how much memory sorting its suffixes takes. Cost: two passes
/// over the text, 4 ns per symbol, shared by the threads; 512 KiB per thread.
struct SuffixStatistics {
  std::uint64_t length = 0;
  std::uint64_t syncmers = 0;       ///< few, except in texts with short periods
  std::uint64_t widest = 0;         ///< suffixes in the largest prefix bucket
  std::uint64_t ascents = 0;        ///< suffixes whose first symbol is smaller than their second
  std::uint64_t widest_ascent = 0;  ///< ascents in the largest prefix bucket

  SuffixStatistics() = default;
  SuffixStatistics(const TextView& text, int threads);
};

/// The most rows that a block may have. Ranks of syncmers take memory, so blocks are smaller once
/// these exist.
struct BlockRows {
  std::uint64_t unranked = 0;  ///< before syncmers are ranked
  std::uint64_t ranked = 0;    ///< afterwards
};

/// Bytes that sorting in blocks takes at its peak, without the text and without what is
/// kept of the blocks.
struct BlockBytes {
  std::uint64_t unranked = 0;  ///< with a block, before syncmers are ranked
  std::uint64_t ranking = 0;   ///< while syncmers are ranked, with no block
  std::uint64_t ranked = 0;    ///< with a block and the ranks
};
BlockBytes block_bytes(const SuffixStatistics& statistics, const BlockRows& rows, int threads,
                       PositionWidth width);

/// The fewest rows that a block should have when memory is short: each block costs a pass over the
/// text.
std::uint64_t least_block_rows(std::uint64_t length);

/// Gives `take` all rows of the suffix array of `text`, in order, in blocks of at most `block_rows`
/// rows. The rows are those of build_suffix_array().
///
/// A block consists of the suffixes of some prefix buckets, collected in one pass over the text
/// (Kärkkäinen, 2007, sorts blocks between splitters; here most boundaries lie between prefixes,
/// and only a bucket that is larger than a block is split at suffixes). All suffixes of a block are
/// sorted, not only B* suffixes: first by keys from the text and, where they agree on long
/// stretches, by the ranks of syncmers, which are computed when a block first needs them.
/// Cost: about twice the time of build_suffix_array(), and one pass over the text, 1 ns per symbol,
/// for each block. Memory: block_bytes(). Throws ResourceError, and what `take` throws.
/// Pre: both numbers of rows are at least 2.
void build_suffix_blocks(const TextView& text, const BlockRows& block_rows, int threads,
                         PositionWidth width, const TakeRows& take,
                         const ProgressReport& progress = {});

}  // namespace gsx
