// Reports the sites of guides: their numbers, their scores, and a line for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/guides/bulges.hpp"
#include "analysis/guides/guides.hpp"
#include "analysis/guides/site_chunks.hpp"
#include "analysis/guides/site_scorer.hpp"
#include "output/lines/place_order.hpp"
#include "output/lines/result_format.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/text.hpp"

namespace gsx {

/// The scores of the sites of a guide, in units of score_unit.
struct GuideScores {
  std::uint64_t sum = 0;
  std::uint64_t own = 0;    ///< the greatest one of a site without mismatches
  std::uint64_t sites = 0;  ///< those that have a score

  void add(const GuideScores& more) {
    sum += more.sum;
    own = std::max(own, more.own);
    sites += more.sites;
  }
  /// The sum without the site that is taken for the guide's own.
  std::uint64_t of_others() const { return sum - own; }
};

/// What is known of the sites of a batch of guides. With bulges, the counts have as many classes
/// for each of BulgeLimits::kinds(), one after another.
struct SiteTally {
  MismatchCounts counts;
  std::vector<GuideScores> scores;  ///< empty if there are none
};

/// Takes chunks of hits of one batch of guides, as a HitSink does.
class SiteReport {
 public:
  /// Hits that one thread takes at a time.
  static constexpr std::uint64_t task_hits = 1 << 13;

  /// Sites with bulges have no score.
  SiteReport(const TextView& text, const RecordsView& records, const std::vector<Pam>& pams,
             SiteScorer scorer, int threads, const BulgeLimits& limits = {},
             std::uint32_t mismatches = 0)
      : text_(text),
        records_(records),
        pams_(pams),
        scorer_(std::move(scorer)),
        threads_(threads),
        limits_(limits),
        classes_(mismatches + 1) {}

  /// What comes before the lines of sites.
  std::string header(const PlaceLineOptions& written,
                     std::span<const std::uint64_t> circular) const;
  bool has_score(std::string_view guide) const { return scorer_.covers(guide); }
  /// Adds the numbers and the scores of a chunk's hits to `tally`.
  void tally(const GuideBatch& batch, const SiteChunk& chunk, SiteTally& tally) const {
    take(batch, chunk, &tally, std::nullopt, nullptr);
  }
  /// Does what tally() does, gives `write` a line for each hit, and puts the score of each hit into
  /// `scores`, if it has one; each of the three may be null. `written`: how lines are written; none
  /// if they are not.
  void take(const GuideBatch& batch, const SiteChunk& chunk, SiteTally* tally,
            const std::optional<PlaceLineOptions>& written,
            const std::function<void(const PlaceLines& lines)>& write,
            std::uint64_t* scores = nullptr) const;

 private:
  struct Part;
  static std::uint64_t hits_of_task(const GuideBatch& batch, const SiteChunk& chunk);
  void take_part(const GuideBatch& batch, const SiteChunk& chunk, std::uint64_t begin,
                 std::uint64_t end, const std::optional<PlaceLineOptions>& written, Part& part,
                 std::uint64_t* scores) const;

  /// The class of the tally's counts.
  std::size_t class_of(std::uint32_t mismatches, Bulge bulge) const {
    return bulge == 0 ? mismatches : limits_.number_of(bulge) * classes_ + mismatches;
  }

  TextView text_;
  RecordsView records_;
  std::vector<Pam> pams_;
  SiteScorer scorer_;
  int threads_;
  BulgeLimits limits_;
  std::size_t classes_;  ///< numbers of mismatches of a site
};

/// The header of the table of guides, and the line of one guide. Only its first `known` classes
/// were counted, and unless these are all, it has no total and no scores. Without a site that has a
/// score, it has no specificity. A guide that cannot be
/// asked for has no numbers, and is written as it was read. `pams` is letters_of() its PAMs.
std::string guides_header(std::uint32_t mismatches, const BulgeLimits& limits);
void append_guide(std::string& out, const GuideBatch& batch, std::size_t i, std::string_view pams,
                  const SiteTally& tally, std::size_t known, bool has_score);

/// Sites of the PAM whose guide of that length would lie over a symbol that was kept out of the
/// text, such as N.
std::uint64_t count_excluded_sites(const TextView& text, const RecordsView& records, const Pam& pam,
                                   std::uint64_t guide_length, Strands strands = Strands::both);

}  // namespace gsx
