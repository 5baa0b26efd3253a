// The options of gsx filter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "queries/query_options.hpp"
#include "run/filter_rules.hpp"

namespace gsx::app {

struct FilterOptions {
  QueryOptions query;  ///< of which -x, -r, -o, --summary and the resources are options here
  std::string second_output;
  std::string rest, second_rest;  ///< what the outputs leave out
  std::string by_record;
  std::string mates = "names";
  std::uint64_t min_length = 31;
  double min_cover = 0;
  bool drop = false;
  bool keep = false;
  bool both = false;
  bool interleaved = false;
  bool unpaired = false;

  const std::vector<std::string>& files() const { return query.inputs.files; }
  FilterRules rules() const;
  /// Pre: the files hold no index any more.
  ReadPairing pairing() const;
  /// Whether mates are those that have the same place, whatever their names.
  bool by_order() const { return mates == "order"; }
  /// The options that affect results.
  JsonMembers as_json() const;
  /// Throws UsageError for options that contradict each other, whatever the files.
  void check() const;
  /// Throws UsageError for options that do not fit the number of files, or for outputs that would
  /// replace what the run reads, or each other. Pre: as for pairing(); the further outputs are in
  /// query.side_outputs.
  void check_files(Session& session) const;
  /// Throws UsageError for an output, which may be open, whose suffix names another format than
  /// these.
  void check_suffixes(const char* formats, RunFiles& run, bool are_open = false) const;

 private:
  void check_outputs_of_pairs() const;
};

void add_filter_options(CLI::App& command, FilterOptions& options);

}  // namespace gsx::app
