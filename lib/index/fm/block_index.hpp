// Builds an FM-index block by block, without ever holding the whole suffix array.
#pragma once

#include <cstdint>

#include "base/progress.hpp"
#include "index/fm/fm_index.hpp"
#include "index/sa/block_builder.hpp"

namespace gsx {

/// Gives the same index as FmIndex(text, build_sa_and_bwt(...)). Of each block of `block_rows`
/// rows, it packs the BWT, takes the samples and drops the rows. Memory besides the block's own
/// (block_bytes): the packed BWT, as large as the packed text, and the samples; then the index, and
/// for alphabets of more than four symbols two bytes per symbol. Throws ResourceError.
FmIndex build_index_in_blocks(const TextView& text, const FmOptions& options,
                              const BlockRows& block_rows, int threads, PositionWidth width,
                              const ProgressReport& progress);

}  // namespace gsx
