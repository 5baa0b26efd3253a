// The output format of locate.
#pragma once

#include <string>

#include "options/command_line.hpp"
#include "options/format_option.hpp"

namespace gsx::app {

/// --format and its short forms, and --bigwig.
struct LocateFormatOptions {
  FormatOption format;
  std::string bigwig;

  /// As FormatOption::choose().
  ResultFormat choose(const std::string& output, RunFiles& files) const;
  /// Whether the main output is written: unless only a bigWig file is asked for.
  bool wants_text(const std::string& output) const {
    return bigwig.empty() || !output.empty() || format.is_given();
  }
};
void add_locate_format_options(CLI::App& command, LocateFormatOptions& options);

}  // namespace gsx::app
