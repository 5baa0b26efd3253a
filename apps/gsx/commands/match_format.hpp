// The output format of mem.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "output/lines/match_report.hpp"
#include "output/lines/pair_report.hpp"

namespace gsx::app {

/// --format and its short forms.
struct MatchFormatOptions {
  std::string name;
  bool bed = false;
  bool paf = false;
  bool jsonl = false;
  bool fastmap = false;
  bool mummer = false;

  /// The format asked for; else the one that the suffix of the output names, before .gz or .bgz;
  /// else TSV. Throws UsageError if two different formats are asked for, or one of pairs.
  MatchFormat choose(const std::string& output) const;
  /// The same for pairs of matches.
  PairFormat choose_for_pairs(const std::string& output) const;

 private:
  std::string named(const std::string& output) const;
};
void add_match_format_options(CLI::App& command, MatchFormatOptions& options);

std::string name_of(MatchFormat format);

}  // namespace gsx::app
