// The optional sections of an index that say which file each record came from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "text/source_files.hpp"

namespace gsx {

/// Why the tables cannot be those of the files of so many records; none if they can. Cost: one step
/// per file, and a sort of their names.
std::optional<std::string> fault_of(const SourceFilesView& files, std::uint64_t records);

/// Adds the files of a shard to those of the shards before it, which have `records` records. A file
/// may be spread over several shards.
void add_files(SourceFiles& all, const SourceFilesView& more, std::uint64_t records);

}  // namespace gsx
