// Checks that the tables of an index file describe records that an input could have given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "text/text.hpp"

namespace gsx {

/// The record tables, and what they must agree with.
struct RecordTables {
  const RecordsView& records;
  std::span<const std::uint64_t> segment_starts;  ///< [segments + 1]
  SymbolPolicy policy;
  bool soft_mask_split;
  const SymbolCounts& counts;
};

/// What is wrong with the tables; none if they could be those of a text. Segments and gaps must lie
/// end to end in each record. No two segments may touch: a match across their border would be
/// missed. Gaps must hold what the alphabet does not, each as one run. Soft-masked bases may be
/// there only if they are kept out of the text, and `counts` must be the sums. Pre: segment_starts
/// ascends strictly, the first segments and gaps of the records are in order, and gaps of literals
/// lie within the literals. Cost: one step per record, segment and gap.
std::optional<std::string> fault_of(const RecordTables& tables);

}  // namespace gsx
