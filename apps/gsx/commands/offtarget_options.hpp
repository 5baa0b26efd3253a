// The options of gsx offtarget.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/guide_search.hpp"
#include "analysis/guides/guides.hpp"
#include "analysis/guides/site_report.hpp"
#include "options/command_line.hpp"
#include "options/format_option.hpp"
#include "options/strand_option.hpp"
#include "queries/dna_list.hpp"

namespace gsx::app {

struct OfftargetOptions : DnaListOptions {
  bool all_sites = false;
  std::optional<std::uint32_t> guide_length;
  std::string guides_in;  ///< a file of regions
  std::string nuclease;
  std::string pam;
  std::string pam_side;
  std::vector<std::string> other_pams;
  std::uint32_t mismatches = 4;
  std::string strand = "both";
  BulgeLimits bulges;
  std::optional<StopAt> stop_at;
  bool with_pam = false;
  bool without_pam = false;
  std::string score = "mit";  ///< or none, or a file
  std::string sites;
  FormatOption format;

  /// The PAM, and then those of --alt-pam.
  std::vector<Pam> pams() const;
  Strands strands() const { return strands_named(strand); }
  GuideEnds guide_ends() const;
  /// The length of the guides of --all-sites.
  std::uint32_t length_of_guides() const;
  /// The format that --format or the suffix of --sites names.
  ResultFormat sites_format(RunFiles& run) const;
  /// Whether scores are those of a table.
  bool score_file() const { return score != "mit" && score != "none"; }
  /// The options that affect results, for the summary, but for those of all lists.
  JsonMembers as_json() const;
  /// Throws UsageError for options that do not go together, and for a guide of -p that cannot be
  /// searched.
  void check(RunFiles& run) const;
};
void add_offtarget_options(CLI::App& command, OfftargetOptions& options);

}  // namespace gsx::app
