// The options of gsx amplicon.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/primers/product_report.hpp"
#include "inputs/dna_target.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"

namespace gsx::app {

struct AmpliconOptions {
  std::vector<std::string> primers;  ///< files; the first may be the index
  std::string index;
  std::vector<std::string> references;
  ReferenceOptions reading;
  std::vector<std::string> circular;  ///< names of circular records
  PrimerRules rules;
  std::uint64_t least = 50;
  std::uint64_t most = 3000;
  std::uint64_t max_hits = 0;
  std::string output;
  std::string format;
  bool bed = false;
  bool fasta = false;
  bool no_header = false;
  ProductExtent extent;
  DeviceOptions device;
  SizeLimit memory_limit;

  ProductRules product_rules() const { return {least, most, rules.mismatches}; }
  /// The format asked for; else the one that the suffix of the output names; else TSV.
  ProductFormat product_format() const;
  std::uint64_t most_hits() const { return max_hits == 0 ? unlimited : max_hits; }
  /// Throws UsageError for options that do not go together.
  void check() const;
};
void add_amplicon_options(CLI::App& command, AmpliconOptions& options);

}  // namespace gsx::app
