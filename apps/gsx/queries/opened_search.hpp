// The searcher that a run of queries needs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/backend.hpp"
#include "index/store/index.hpp"
#include "queries/query_options.hpp"
#include "run/query_memory.hpp"
#include "run/query_tasks.hpp"

namespace gsx::app {

/// What searches the index, across the origins of circular records too. The back end and the index
/// must outlive it.
struct OpenedSearch {
  OpenedSearch(const QueryOptions& options, Backend& backend, const Index& index,
               const std::vector<std::uint64_t>& circular, const QueryMemory& memory, CpuPath path);

  std::unique_ptr<Searcher> searcher;  ///< of exact matches; or
  std::unique_ptr<MismatchSearcher> mismatch_searcher;
  std::optional<MismatchQueries> mismatches;
};

}  // namespace gsx::app
