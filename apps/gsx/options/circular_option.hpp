// --circular: the records that are circular.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "text/text.hpp"

namespace gsx::app {

/// Adds --circular; `what` are the things that may span an origin, for its help.
void add_circular_option(CLI::App& command, std::vector<std::string>& names,
                         const std::string& what);

/// The numbers of the records of these names, ascending; all records for "all". Throws InputError
/// with the nearest name if there is no record of a name, UsageError if the records are not DNA. In
/// a shard of an index, whose partial result tells the records that it has, there may be none.
std::vector<std::uint64_t> circular_records(const RecordsView& records, const Alphabet& alphabet,
                                            const std::vector<std::string>& names,
                                            bool in_shard = false);

}  // namespace gsx::app
