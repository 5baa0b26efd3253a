// The options of gsx offtarget.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/guide_search.hpp"
#include "analysis/guides/guides.hpp"
#include "analysis/guides/site_report.hpp"
#include "inputs/dna_target.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"

namespace gsx::app {

struct OfftargetOptions {
  std::vector<std::string> guides;  ///< files; the first may be the index
  std::string index;
  std::vector<std::string> references;
  ReferenceOptions reading;
  std::vector<std::string> patterns;
  bool all_sites = false;
  std::optional<std::uint32_t> guide_length;
  std::string regions;
  std::vector<std::string> circular;  ///< names of circular records
  std::string nuclease;
  std::string pam;
  std::string pam_side;
  std::vector<std::string> other_pams;
  std::uint32_t mismatches = 4;
  BulgeLimits bulges;
  std::optional<StopAt> stop_at;
  bool with_pam = false;
  bool without_pam = false;
  std::string score = "mit";  ///< or none, or a file
  std::uint64_t max_hits = 0;
  std::string output;
  std::string sites;
  std::string format;
  bool no_header = false;
  DeviceOptions device;
  SizeLimit memory_limit;

  /// The PAM, and then those of --alt-pam.
  std::vector<Pam> pams() const;
  GuideEnds guide_ends() const;
  /// The length of the guides of --all-sites.
  std::uint32_t length_of_guides() const;
  /// The format that --format or the suffix of --sites names.
  SitesFormat sites_format() const;
  /// Whether scores are those of a table.
  bool score_file() const { return score != "mit" && score != "none"; }
  std::uint64_t most() const { return max_hits == 0 ? unlimited : max_hits; }
  /// Throws UsageError for options that do not go together, and for a guide of -p that cannot be
  /// searched.
  void check() const;
  /// Throws UsageError for outputs that would replace each other or one of the files that are read.
  void check_outputs(RunFiles& files) const;
};
void add_offtarget_options(CLI::App& command, OfftargetOptions& options);

}  // namespace gsx::app
