// Proving that an index is what it says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/progress.hpp"
#include "store/index.hpp"

namespace gsx {

/// Extracts every record and compares its MD5 with the stored one.
/// Throws CorruptIndexError naming the first record that differs. Cost: O(n).
void verify_records(const Index& index, int threads, const ProgressReport& progress);

/// Walks the BWT back through every segment and compares each symbol with the text, each sampled
/// row with the position, and each end with the segment table. Together with the counts of symbols
/// that proves the BWT, its rank structure and the samples: the walk visits every row once, and
/// rows whose order steps preserve are in suffix order.
/// Throws CorruptIndexError naming the row. Cost: n LF steps, parallel over segments.
void verify_bwt(const Index& index, int threads, const ProgressReport& progress);

}  // namespace gsx
