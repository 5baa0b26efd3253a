// --by-file: lines of places name the input files that their targets came from.
#pragma once

#include <string>

#include "index/store/index.hpp"
#include "options/command_line.hpp"
#include "output/lines/result_format.hpp"

namespace gsx::app {

/// Adds the option to the group Output. `where` says how the formats name files.
CLI::Option* add_by_file_option(CLI::App& command, bool& by_file, const std::string& where);

/// Throws UsageError if lines of the format cannot name files, and should.
void require_file_names(const PlaceLineOptions& lines);

/// Throws UsageError if the index does not know the files of its records.
void require_kept_files(const Index& index);

}  // namespace gsx::app
