// What a run of gsx offtarget tells of its guides in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "commands/offtarget_options.hpp"
#include "search/mismatches/unasked.hpp"

namespace gsx::app {

/// Figures of some guides.
struct OfftargetFigures {
  std::uint64_t guides = 0;
  std::uint64_t with_sites = 0;
  std::uint64_t without_score = 0;
  std::uint64_t sites = 0;
  std::uint64_t reported = 0;   ///< of them, with --sites
  std::uint64_t truncated = 0;  ///< guides with more sites than were asked for
  std::uint64_t dropped = 0;
  std::size_t longest = 0;  ///< letters of a guide
  UnaskedQueries unasked;

  /// Adds those of later guides.
  void add(const OfftargetFigures& later);
  /// What the summary tells; guides are its queries, and sites its hits.
  JsonMembers of_summary() const {
    return {{"queries", guides},
            {"queries_with_hits", with_sites},
            {"queries_that_cannot_match", unasked.count},
            {"queries_truncated", truncated},
            {"queries_dropped", dropped},
            {"hits", sites},
            {"hits_reported", reported}};
  }
  /// Logs the figures, and warns of guides of which not everything was told. Scores are for guides
  /// of `scored_length` bases. Throws InputError if no guide could be asked for.
  void conclude(const OfftargetOptions& options, std::size_t scored_length) const;
};

/// Logs how many sites of the PAMs no guide was compared with; `longest` is the length of the
/// longest guide.
void log_excluded(const Target& target, const std::vector<Pam>& pams, Strands strands,
                  std::size_t longest, bool circular);

}  // namespace gsx::app
