// -r: searches sequences without an index file.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "gsx/index.hpp"
#include "index/store/index.hpp"
#include "process/session.hpp"
#include "queries/query_options.hpp"

namespace gsx::app {

/// Adds -r/--reference.
void add_reference_option(CLI::App& command, QueryOptions& options);

/// Builds the index of options.references in memory, once it is clear that the outputs can be
/// opened. `queries` are the files of queries. Throws UsageError if -x also names an index, if a
/// reference is an index, or if standard input would be both; also what check_outputs() and
/// try_outputs() throw.
Index index_of_references(const QueryOptions& options, const std::vector<std::string>& queries,
                          Session& session);

}  // namespace gsx::app
