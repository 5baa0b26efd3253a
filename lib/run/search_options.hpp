// What a searcher may use of the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/exact/hits.hpp"
#include "text/text.hpp"

namespace gsx {

/// Where and how batches are searched, and what counts as a hit.
struct SearchOptions {
  /// auto, cpu, cuda, cuda:N, cuda:N,M,..., cuda:all. auto takes a GPU if there is one that
  /// is estimated to finish first, its start included; where queries come later, if the text is so
  /// large that they will be many: more than 17 million symbols per thread, of guides 29 million.
  std::string device = "auto";
  int threads = 0;                       ///< 0: as many as this process may run
  std::uint64_t gpu_memory = unlimited;  ///< bytes of a GPU's memory to use
  SearchMemory memory = {};
  /// Records that are circular, by number: places that span their origins are found, too. Such a
  /// place ends behind the end of its record, and holds no symbol twice. DNA only.
  std::vector<std::uint64_t> circular = {};
  /// If given, only places that lie wholly within one of these count; those that overlap or touch
  /// are one region, also across the origin of a record. An end may lie behind the record's.
  std::optional<std::vector<RecordRange>> regions = {};
};

}  // namespace gsx
