// In which format locate writes.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "report/query_report.hpp"

namespace gsx::app {

/// --format, and the flags that are short for it.
struct LocateFormatOptions {
  std::string name;
  bool bed = false;
  bool paf = false;
  bool jsonl = false;

  /// What is asked for; else what the name of the output ends in, before .gz or .bgz; else TSV.
  /// Throws UsageError when two are asked for.
  LocateFormat choose(const std::string& output) const;
};
void add_locate_format_options(CLI::App& command, LocateFormatOptions& options);

std::string name_of(LocateFormat format);

}  // namespace gsx::app
