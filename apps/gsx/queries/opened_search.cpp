#include "queries/opened_search.hpp"

#include "device/circular/circular_searcher.hpp"
#include "device/shards/joined_search.hpp"

namespace gsx::app {

OpenedSearch::OpenedSearch(const QueryOptions& options, Backend& backend, const Index& index,
                           const std::vector<std::uint64_t>& circular, const QueryMemory& memory,
                           CpuPath path) {
  // Origins take the memory in which the index might be copied.
  SearchMemory others_memory = memory.search;
  if (!circular.empty()) others_memory.index_copy = 0;
  const JunctionOptions junctions{memory.threads, memory.search, memory.search.index_copy, path};
  const auto across = [&](auto opened) {
    if (circular.empty()) return opened;  // the text of shards need not be put together
    return with_origins(std::move(opened), index.text(), index.records(), circular, junctions);
  };
  if (options.with_mismatches()) {
    mismatch_searcher =
        across(open_mismatch_searcher(backend, index, memory.threads, others_memory));
    mismatches.emplace(
        MismatchQueries{*mismatch_searcher, options.rules(), {index.text(), options.iupac}});
  } else if (!options.equal.empty()) {
    searcher = open_equal_searcher(index, options.equal, others_memory, path);
  } else {
    searcher = across(open_searcher(backend, index, memory.threads, others_memory));
  }
}

}  // namespace gsx::app
