// Reports the sites of guides: their numbers, their scores, and a line for each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/output.hpp"
#include "offtarget/guides.hpp"
#include "offtarget/site_scorer.hpp"
#include "scan/mismatches.hpp"
#include "text/text.hpp"

namespace gsx {

enum class SitesFormat : std::uint8_t { tsv, bed, cas_offinder };

inline constexpr const char* sites_header =
    "guide_id\ttarget_id\tstart\tend\tstrand\tmismatches\tn_total\tn_reported\ttruncated\tsite\t"
    "score\n";

/// The scores of the sites of a guide, in units of score_unit.
struct GuideScores {
  std::uint64_t sum = 0;
  std::uint64_t own = 0;  ///< the greatest one of a site without mismatches

  void add(const GuideScores& more) {
    sum += more.sum;
    own = std::max(own, more.own);
  }
  /// The sum without the site that is taken for the guide's own.
  std::uint64_t of_others() const { return sum - own; }
};

/// What is known of the sites of a batch of guides.
struct SiteTally {
  MismatchCounts counts;
  std::vector<GuideScores> scores;  ///< empty if there are none
};

/// Takes chunks of hits of one batch of guides, as a HitSink does.
class SiteReport {
 public:
  /// Hits that one thread takes at a time.
  static constexpr std::uint64_t task_hits = 1 << 13;

  SiteReport(const TextView& text, const RecordsView& records, const Pam& pam, SiteScorer scorer,
             int threads)
      : text_(text), records_(records), pam_(pam), scorer_(std::move(scorer)), threads_(threads) {}

  bool has_score(std::string_view guide) const { return scorer_.covers(guide); }
  /// Adds the numbers and the scores of a chunk's hits to `tally`.
  void tally(const GuideBatch& batch, const HitChunk& chunk, SiteTally& tally) const {
    take(batch, chunk, &tally, std::nullopt, nullptr);
  }
  /// Writes a line for each hit.
  void write(const GuideBatch& batch, const HitChunk& chunk, SitesFormat format,
             Output& out) const {
    take(batch, chunk, nullptr, format, &out);
  }
  /// Both, and puts the score of each hit into `scores`, if it has one; each of the three may be
  /// null.
  void take(const GuideBatch& batch, const HitChunk& chunk, SiteTally* tally,
            std::optional<SitesFormat> format, Output* out, std::uint64_t* scores = nullptr) const;

 private:
  struct Part;
  void take_part(const GuideBatch& batch, const HitChunk& chunk, std::uint64_t begin,
                 std::uint64_t end, std::optional<SitesFormat> format, Part& part,
                 std::uint64_t* scores) const;

  TextView text_;
  RecordsView records_;
  Pam pam_;
  SiteScorer scorer_;
  int threads_;
};

/// The header of the table of guides, and the line of one guide. Classes above `known` mismatches
/// were not counted, and neither were the scores then.
void append_guides_header(std::string& out, std::uint32_t mismatches);
void append_guide(std::string& out, const GuideBatch& batch, std::size_t i,
                  const std::vector<Pam>& pams, const SiteTally& tally, std::uint32_t known,
                  bool has_score);

/// Sites of the PAM whose guide of that length would lie over a symbol that was kept out of the
/// text, such as N.
std::uint64_t count_excluded_sites(const TextView& text, const RecordsView& records, const Pam& pam,
                                   std::uint64_t guide_length);

}  // namespace gsx
