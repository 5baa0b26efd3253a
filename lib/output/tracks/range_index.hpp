// The index of blocks by the ranges that they cover, as bigWig has it.
#pragma once

#include <cstdint>
#include <vector>

#include "bytes/output.hpp"

namespace gsx {

/// Where a block lies, from the first position of its first record to the end in its last one.
struct IndexedBlock {
  std::uint32_t first_id;
  std::uint32_t begin;
  std::uint32_t last_id;
  std::uint32_t end;
  std::uint64_t offset;  ///< in the file
  std::uint32_t bytes;
};

/// Writes an R-tree of blocks that are in order (the chromosome id R-tree of Kent et al.): levels
/// from the root, nodes of at most 256 children, padded to the same size. `data_end` is the offset
/// behind the last block. Memory: beside the blocks, 24 bytes for each 256 of them.
void write_range_index(Output& output, const std::vector<IndexedBlock>& blocks,
                       std::uint64_t data_end);

}  // namespace gsx
