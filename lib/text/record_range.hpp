// Parts of records.
#pragma once

#include <compare>
#include <cstdint>

namespace gsx {

/// Symbols [begin, end) of a record, counted from 0.
struct RecordRange {
  std::uint64_t record = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  friend auto operator<=>(const RecordRange&, const RecordRange&) = default;
};

}  // namespace gsx
