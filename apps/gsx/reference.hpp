// Searching sequences without an index file: -r.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "gsx/index.hpp"
#include "query_run.hpp"
#include "session.hpp"

namespace gsx::app {

/// -r/--reference.
void add_reference_option(CLI::App& command, QueryOptions& options);

/// The index of options.references, built in memory. `queries` are the files of queries. Throws
/// UsageError when -x names an index, too, a reference is an index, or standard input is to be
/// both.
Index index_of_references(const QueryOptions& options, const std::vector<std::string>& queries,
                          Session& session);

}  // namespace gsx::app
