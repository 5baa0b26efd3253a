// Which shard of an index holds a record.
#pragma once

#include <cstdint>

#include "index/store/index.hpp"

namespace gsx {

struct RecordOfPart {
  const Index& part;     ///< the shard, or the index itself if it is in one file
  std::uint64_t record;  ///< its number there
};

/// Pre: there is such a record. Cost: linear in the shards.
inline RecordOfPart part_of_record(const Index& index, std::uint64_t record) {
  for (const Index& part : index.parts()) {
    if (record < part.records().size()) return {part, record};
    record -= part.records().size();
  }
  return {index, record};
}

}  // namespace gsx
