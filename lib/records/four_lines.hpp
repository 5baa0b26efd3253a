// Takes FASTQ records of four clean lines, which nearly all are, at the speed of memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/cpu_path.hpp"
#include "records/record_batch.hpp"

namespace gsx {

/// Takes records off the front of `block` and adds them to the batch, as long as each has one line
/// each for header, sequence, '+' and qualities, at least one symbol, no blank before its name, no
/// '+' line that differs from the header, no wrong byte, and its end in the block. What follows is
/// for the general parser, which would give the same records. Returns how many it has taken. `line`
/// is the 1-based number of the first line.
std::uint64_t take_four_line_records(std::string_view& block, std::uint64_t line,
                                     RecordBatch& batch, CpuPath path);

}  // namespace gsx
