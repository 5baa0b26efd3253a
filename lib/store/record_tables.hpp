// Whether the tables of an index file describe records that an input can have given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "text/text.hpp"

namespace gsx {

/// What the tables of the records must agree with.
struct RecordTables {
  const RecordsView& records;
  std::span<const std::uint64_t> segment_starts;  ///< [segments + 1]
  SymbolPolicy policy;
  bool soft_mask_split;
  const SymbolCounts& counts;
};

/// What is wrong with the tables; none when they are those of a text. Segments and gaps must lie
/// end to end in each record, and be what reading gives: no two segments touch, since a match
/// across their border would be missed; gaps hold what the alphabet does not, each as one run;
/// soft-masked bases are there only where they are kept out of the text; and `counts` are the sums.
/// Pre: segment_starts ascend strictly, the records' first segments and gaps are in order, and gaps
/// of literals lie within the literals. Cost: a step per record, segment and gap.
std::optional<std::string> fault_of(const RecordTables& tables);

}  // namespace gsx
