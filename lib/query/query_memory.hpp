// How the memory of a run of queries is shared out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "search/hits.hpp"

namespace gsx {

/// What a run of queries wants.
struct QueryMemoryRequest {
  std::uint64_t limit =
      unlimited;  ///< bytes that may be allocated; pages of a mapped file are none
  std::string limited_by = "the limit";  ///< what set it, as errors name it
  int threads = 1;
  std::uint64_t batch_bytes = std::uint64_t{2} << 20;
  std::uint64_t table_bytes = 0;  ///< that the open index holds in memory
  bool sorts = false;             ///< whether results are sorted by position
};

/// What it gets.
struct QueryMemory {
  int threads = 1;
  std::uint64_t batch_bytes = 0;
  std::size_t piece_bytes = 0;    ///< of text that a thread holds
  std::uint64_t sort_bytes = 0;   ///< for sorting, in all
  std::uint64_t query_bytes = 0;  ///< the longest query that there is room for
  SearchMemory search;
};

/// Fewer threads, smaller batches and fewer hits at a time, until all fits the limit. Without a
/// limit, what is fast: some 10 MB per thread and 64 MB for hits and as much for sorting.
/// Throws ResourceError that gives the least limit.
QueryMemory plan_query_memory(const QueryMemoryRequest& request);

}  // namespace gsx
