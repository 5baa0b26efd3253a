#include "commands/offtarget_figures.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "analysis/guides/site_report.hpp"
#include "base/log.hpp"
#include "queries/dna_list.hpp"

namespace gsx::app {

void OfftargetFigures::add(const OfftargetFigures& later) {
  guides += later.guides;
  with_sites += later.with_sites;
  without_score += later.without_score;
  sites += later.sites;
  reported += later.reported;
  truncated += later.truncated;
  dropped += later.dropped;
  longest = std::max(longest, later.longest);
  unasked.add(later.unasked);
}

void OfftargetFigures::conclude(const OfftargetOptions& options, std::size_t scored_length) const {
  log().info("{} guide{}, {} with sites, {} site{}", guides, guides == 1 ? "" : "s", with_sites,
             sites, sites == 1 ? "" : "s");
  if (dropped > 0) {
    log().warn(
        "{} guide{} more than {} sites with at most {} mismatches: the other numbers are "
        "'.', and no sites are written (--stop-at)",
        dropped, dropped == 1 ? " has" : "s have", options.stop_at->sites,
        options.stop_at->mismatches);
  }
  if (truncated > 0 && !options.sites.empty()) {
    log().warn(
        "{} guide{} more than {} sites; only those with the fewest mismatches were "
        "written (--max-hits)",
        truncated, truncated == 1 ? " has" : "s have", options.most());
  }
  if (options.score_file() && without_score > 0) {
    log().warn("{} of {} guides {} no score: the table of --score is for guides of {} bases",
               without_score, guides, without_score == 1 ? "has" : "have", scored_length);
  }
  report_unasked(unasked, guides, "guides", "no guide can match");
}

void log_excluded(const Target& target, const std::vector<Pam>& pams, Strands strands,
                  std::size_t longest, bool circular) {
  if (longest == 0) return;
  std::uint64_t excluded = 0;
  for (const Pam& pam : pams)
    excluded += count_excluded_sites(target.text(), target.records(), pam, longest, strands);
  if (excluded == 0) return;
  log().info(
      "{} site{} of the PAM {} left out: the {} bases beside it, as many as the longest guide has, "
      "would include N or another symbol that is not A C G T{}",
      excluded, excluded == 1 ? "" : "s", letters_of(pams), longest,
      circular ? "; sites that span an origin are not counted" : "");
}

}  // namespace gsx::app
