// The suffix array block by block, for texts whose whole suffix array does not fit the memory.
#pragma once

#include <cstdint>
#include <functional>

#include "base/progress.hpp"
#include "sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Consecutive rows of a suffix array; valid during the call that is given them.
struct SuffixBlock {
  std::uint64_t first_row = 0;
  std::uint64_t size = 0;
  const std::uint32_t* narrow = nullptr;  ///< the entries, if they are 32 bits wide
  const std::uint64_t* wide = nullptr;    ///< the entries, else

  /// Entry of row first_row + i. Pre: i < size.
  std::uint64_t operator[](std::uint64_t i) const { return narrow ? narrow[i] : wide[i]; }
  /// Calls visitor(rows), rows a const pointer to 32-bit or 64-bit entries.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const {
    return narrow ? visitor(narrow) : visitor(wide);
  }
};

/// All rows of a suffix array as one block.
SuffixBlock block_of(const SuffixArray& rows);

using OnSuffixBlock = std::function<void(const SuffixBlock&)>;

/// What of a text decides how much memory its suffixes take to sort. Cost: two passes over the
/// text, 4 ns a symbol, shared by the threads; 512 KiB a thread.
struct SuffixStatistics {
  std::uint64_t length = 0;
  std::uint64_t samples = 0;        ///< that SyncmerRule chooses: few, but where periods are short
  std::uint64_t widest = 0;         ///< suffixes that agree in the leading bits, at most
  std::uint64_t ascents = 0;        ///< suffixes whose first symbol is below the second
  std::uint64_t widest_ascent = 0;  ///< as `widest`, of these

  SuffixStatistics() = default;
  SuffixStatistics(const TextView& text, int threads);
};

/// Most rows a block may have: before samples are ranked, which takes memory, and afterwards.
struct BlockRows {
  std::uint64_t unranked = 0;
  std::uint64_t ranked = 0;
};

/// Bytes that sorting in blocks takes at its peak, without the text and what becomes of the rows.
struct BlockBytes {
  std::uint64_t unranked = 0;  ///< with a block, until samples are needed
  std::uint64_t ranking = 0;   ///< while samples are ranked, with no block
  std::uint64_t ranked = 0;    ///< with a block, and the ranks
};
BlockBytes block_bytes(const SuffixStatistics& statistics, const BlockRows& rows, int threads,
                       PositionWidth width);

/// Fewest rows a block has where memory is short: each block costs a pass over the text.
std::uint64_t least_block_rows(std::uint64_t length);

/// Calls on_block for all rows of the suffix array of `text`, in order, in blocks of at most so
/// many rows: the same rows as build_suffix_array gives.
///
/// A block takes the suffixes of some values of the leading bits, collected in one pass over the
/// text (Kärkkäinen, 2007, sorts blocks between splitters; here most are between leading bits, and
/// only what agrees in these and is more than a block is split at suffixes). All suffixes of a
/// block are sorted, by keys from the text and, where they agree for long, by the ranks of samples,
/// which are made when a block first needs them.
/// Cost: about twice the time of build_suffix_array, and a pass over the text, 1 ns a symbol, for
/// each block. Memory: block_bytes(). Throws ResourceError, and what on_block throws.
/// Pre: both numbers of rows are at least 2.
void build_suffix_blocks(const TextView& text, const BlockRows& block_rows, int threads,
                         PositionWidth width, const OnSuffixBlock& on_block,
                         const ProgressReport& progress = {});

}  // namespace gsx
