// The options of gsx neighbors.
#pragma once

#include <string>
#include <vector>

#include "analysis/barcodes/posterior.hpp"
#include "analysis/barcodes/set_reader.hpp"
#include "options/command_line.hpp"
#include "options/format_option.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "output/json/json.hpp"
#include "search/sets/neighbors.hpp"

namespace gsx::app {

struct NeighborCommand {
  std::vector<std::string> files;
  std::string whitelist;
  SymbolRanges at;
  std::string at_text;
  std::string cram_reference;
  unsigned distance = 1;
  bool clusters = false;
  bool correct = false;
  Confidence confidence;
  bool confidence_given = false;
  std::string output;
  FormatOption format;
  bool no_header = false;
  bool interleaved = false;
  bool unpaired = false;
  bool writes_fastq = false;  ///< as check() finds
  std::string summary;
  SizeLimit memory_limit;
  DeviceOptions device;

  /// Of which reads sequences are taken.
  MateUse mates() const;
  /// Chooses the format. Throws UsageError for options that contradict each other.
  void check(Session& session);
  /// The options that affect results.
  JsonMembers as_json() const;
  std::vector<std::string> inputs() const;
};

void add_neighbor_options(CLI::App& command, NeighborCommand& options);

}  // namespace gsx::app
