// Of which shards partial results are.
#pragma once

#include <deque>
#include <string>

#include "output/merge/summaries.hpp"
#include "output/parts/part_reader.hpp"

namespace gsx::app {

/// The index whose shards the parts are of, by the manifest if it has a name: then there must be a
/// part for each shard, in their order. Its shards need not be there. Without one, only a shard
/// that comes twice is noticed. Throws UsageError for a part that is missing, and for a file that
/// is no manifest; InputError for one of another shard, and what read_manifest() throws.
WholeIndex require_shards(const std::deque<PartReader>& parts, const std::string& name);

}  // namespace gsx::app
