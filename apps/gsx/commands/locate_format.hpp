// The output format of locate.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "output/lines/query_report.hpp"

namespace gsx::app {

/// --format and its short forms, and --bigwig.
struct LocateFormatOptions {
  std::string name;
  std::string bigwig;
  bool bed = false;
  bool paf = false;
  bool jsonl = false;
  bool sam = false;
  bool bam = false;
  bool bedgraph = false;

  /// The format asked for; else the one that the suffix of the output names, before .gz or .bgz;
  /// else TSV. Throws UsageError if two different formats are asked for.
  LocateFormat choose(const std::string& output) const;
  /// Whether the main output is written: unless only a bigWig file is asked for.
  bool wants_text(const std::string& output) const {
    return bigwig.empty() || !output.empty() || !flag().empty() || !name.empty();
  }

 private:
  /// The format that a short form names; "" if there is none.
  std::string flag() const;
};
void add_locate_format_options(CLI::App& command, LocateFormatOptions& options);

std::string name_of(LocateFormat format);

}  // namespace gsx::app
