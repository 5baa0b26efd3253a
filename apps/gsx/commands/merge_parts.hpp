// gsx merge of the files of --format part.
#pragma once

#include <vector>

#include "commands/merge_options.hpp"
#include "output/parts/part_source.hpp"

namespace gsx::app {

/// Writes what a search of all shards gives with the options of the parts. `sources` are files of
/// --format part. Throws UsageError for what these cannot answer, and InputError for parts that are
/// damaged, do not fit one another, or are not those of the manifest of -x.
void merge_part_files(const MergeOptions& options, std::vector<PartSource> sources,
                      Session& session);

}  // namespace gsx::app
