// The inverse of the Burrows-Wheeler transform.
#pragma once

#include <cstdint>
#include <functional>

#include "base/buffer.hpp"
#include "base/cpu_path.hpp"
#include "index/bwt/bwt_bytes.hpp"
#include "index/sa/suffix_array.hpp"

namespace gsx {

struct InverseOptions {
  int threads = 1;
  PositionWidth width = PositionWidth::automatic;  ///< of rows
  CpuPath path = CpuPath::baseline;
  /// Called with the bytes that the inversion is going to take, before it takes more than a few. It
  /// may throw. May be empty.
  std::function<void(std::uint64_t)> before_allocating = {};
};

/// The text of a BWT: its segments in order, each followed by the byte of a separator, but for one
/// that is left out in the BWT. Separators are smaller than all other symbols, which are ordered as
/// bytes, and separators are ordered by position. So row k < m belongs to the end of segment k, and
/// LF steps from there spell the segment backwards; which separator is which need not be known.
///
/// All pieces between splitters (SplitterRows) are walked side by side, several per thread, while
/// the rows that they need come from memory. A piece writes its symbols to pages as it finds them.
/// The lengths of the pieces, summed up along each segment, then tell where each page goes (list
/// ranking by random splitters, as the prefix computation of Helman and JaJa, Designing practical
/// efficient algorithms for symmetric multiprocessors, 1999).
///
/// Cost: one random access per symbol. Memory, beside the BWT, of a text of long segments: 2.5
/// bytes per symbol for four symbols, 6.2 for more (10.3 where rows are wide). Throws InputError if
/// `bwt` is not the BWT of any text, UsageError for 256 different symbols, ResourceError.
Buffer<std::uint8_t> invert_bwt(const BwtBytes& bwt, const InverseOptions& options);

/// Throws InputError if walks from the separators reach less than all rows.
void require_all_reached(std::uint64_t reached, std::uint64_t rows);

/// Whether the steps through a BWT are made of rank blocks (QuadSteps), else of a table
/// (TableSteps): with many separators, finding those takes longer than a larger table.
bool takes_rank_blocks(const BwtAlphabet& alphabet, std::uint64_t rows);

}  // namespace gsx
