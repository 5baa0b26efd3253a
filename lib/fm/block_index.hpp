// An FM-index from a suffix array that is never there as a whole.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "fm/fm_index.hpp"
#include "sa/block_builder.hpp"

namespace gsx {

/// The index that FmIndex(text, build_sa_and_bwt(...)) is, from blocks of so many rows: of each,
/// the BWT is packed, the samples are taken, and the rows are dropped. Memory beside the blocks'
/// (block_bytes): the packed BWT, as large as the packed text, and the samples; then the index, and
/// for alphabets of more than four symbols two bytes a symbol. Throws ResourceError.
FmIndex build_index_in_blocks(const TextView& text, const FmOptions& options,
                              const BlockRows& block_rows, int threads, PositionWidth width,
                              const ProgressReport& progress);

}  // namespace gsx
