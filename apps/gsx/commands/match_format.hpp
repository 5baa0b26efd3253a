// The output format of mem.
#pragma once

#include <string>

#include "options/command_line.hpp"
#include "options/format_option.hpp"

namespace gsx::app {

void add_match_format_options(CLI::App& command, FormatOption& option);

/// As FormatOption::choose(). Throws UsageError for a format of pairs.
ResultFormat format_of_matches(const FormatOption& option, const std::string& output,
                               RunFiles& files);
/// As FormatOption::choose(), for pairs of matches.
ResultFormat format_of_pairs(const FormatOption& option, const std::string& output,
                             RunFiles& files);

}  // namespace gsx::app
