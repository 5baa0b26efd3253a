// The options of gsx amplicon.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/primers/primers.hpp"
#include "analysis/primers/product_report.hpp"
#include "options/command_line.hpp"
#include "options/format_option.hpp"
#include "queries/dna_list.hpp"

namespace gsx::app {

struct AmpliconOptions : DnaListOptions {
  PrimerRules rules;
  std::uint64_t shortest = 50;
  std::uint64_t longest = 3000;
  FormatOption format;
  ProductExtent extent;

  /// The pairs of -p.
  std::vector<PrimerPair> pairs() const;
  ProductRules product_rules() const { return {shortest, longest, rules.mismatches}; }
  /// The format asked for; else the one that the suffix of the output names; else TSV.
  ResultFormat product_format(RunFiles& run) const;
  /// The options that affect results, for the summary, but for those of all lists.
  JsonMembers as_json() const {
    return {{"mismatches", std::uint64_t{rules.mismatches}},
            {"end_bases", std::uint64_t{rules.end_bases}},
            {"end_mismatches", std::uint64_t{rules.end_mismatches}},
            {"min", shortest},
            {"max", longest}};
  }
  /// Throws UsageError for options that do not go together, and for a pair of -p that cannot be
  /// searched.
  void check(RunFiles& run) const;
};
void add_amplicon_options(CLI::App& command, AmpliconOptions& options);

}  // namespace gsx::app
