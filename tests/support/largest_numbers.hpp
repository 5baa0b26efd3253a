// A text whose places have as many digits as there can be, for tests of what writes them.
#pragma once

#include <cstdint>
#include <string>

#include "records/record_batch.hpp"
#include "text/text_builder.hpp"

namespace gsx::testing {

/// A text of one record that is said to begin just below 2^64, and to be as long.
inline Text text_of_largest_numbers(const std::string& name) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  RecordBatch records;
  records.begin_record(name, "");
  records.append("ACGT");
  TextBuilder builder({});
  builder.add(records);
  Text text = builder.finish();
  text.segment_offsets[0] = most - 10;
  text.records[0].length = most;
  return text;
}

}  // namespace gsx::testing
