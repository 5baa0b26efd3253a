// Searching the sites of CRISPR guides, in an index or straight in a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/guides/score_table.hpp"
#include "analysis/guides/stop_at.hpp"
#include "base/export.hpp"
#include "gsx/index.hpp"
#include "gsx/search.hpp"
#include "search/exact/hits.hpp"

namespace gsx {

/// What the sites of guides are: every place, on either strand of a text of DNA, where a PAM
/// matches exactly, and the guide beside it with at most `mismatches` mismatches (Hamming
/// distance). Letters of guides and PAMs are IUPAC codes, U is T, and case does not matter. A
/// symbol of a record other than A, C, G, T and U matches nothing, not even N. With
/// SearchOptions::circular, sites may span the origin of a record, and with SearchOptions::regions,
/// only those within a region count; neither with bulges. The command gsx offtarget also takes
/// every site of a PAM for a guide; the library does not.
struct GuideOptions {
  /// One PAM of 1 to 32 letters, and any others that are as long and have no site in common with
  /// it or with each other.
  std::vector<std::string> pams = {"NGG"};
  bool pam_first = false;              ///< whether the PAM lies on the 5' side of the guide
  Strands strands = Strands::both;     ///< those that have the guide as it is given
  std::uint32_t mismatches = 4;        ///< most in the guide: 0 to most_mismatches (255)
  std::uint64_t max_hits = unlimited;  ///< most sites to give per guide, as in MismatchOptions
  /// Whether the sites of guides of 20 bases before their PAM have MIT scores (Hsu et al., Nature
  /// Biotechnology 31, 827, 2013). Ignored with a `score_table`, whose scores then count.
  bool mit_scores = true;
  std::optional<ScoreTable> score_table = {};
  /// The largest bulges of sites, 0 to 5 bases: of the text that the guide lacks (DNA), and of the
  /// guide that the text lacks (RNA). A site has at most one, in one piece, inside the guide, and
  /// `mismatches` beside it; it has no score. A place, strand and end is one site of its kind, with
  /// the fewest mismatches of any place of the bulge.
  std::uint32_t dna_bulge = 0;
  std::uint32_t rna_bulge = 0;
  /// Counts only the sites that it tells of for guides that it drops, and gives none; its
  /// mismatches are fewer than those of the sites.
  std::optional<StopAt> stop_at = {};

  /// Numbers in GuideSites::counts.
  std::size_t classes() const {
    return (std::size_t{1} + dna_bulge + rna_bulge) * (std::size_t{mismatches} + 1);
  }
};

/// What is known of the sites of a guide.
struct GuideSites {
  /// By number of mismatches, [mismatches + 1]: of the sites without a bulge, then of those with a
  /// DNA bulge of 1 base and more, then of those with an RNA bulge: [GuideOptions::classes()].
  std::vector<StrandCounts> counts;
  bool dropped = false;  ///< by GuideOptions::stop_at; the classes that it does not count are 0
  /// False for a guide that is empty or all N, holds what is no IUPAC code, or has no more letters
  /// than mismatches are allowed: it was not searched for, and its counts of 0 say nothing.
  bool searched = true;
  /// 100 * 100 / (100 + the sum of the scores of the sites), in per cent; none for a guide that
  /// was not searched for, or that has no site with a score. One site without mismatches, that with
  /// the greatest score, is taken for the guide's own and left out of the sum.
  std::optional<double> specificity = {};

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const StrandCounts& some : counts)
      sum += some.total();
    return sum;
  }
};

/// Sites of consecutive guides. Hit::position() is where the site begins on the forward strand, PAM
/// included: occurrence_of(index, hit, letters of the guide + letters of the PAM + its bulge) is
/// its place in a record.
struct ScoredHitChunk : HitChunk {
  std::span<const double> scores;  ///< of the hits, 0 to 100; NaN for a guide that has none
  /// Bases that each site has more than its guide: > 0 with a DNA bulge, < 0 with an RNA bulge.
  /// Empty if the options allow none.
  std::span<const std::int8_t> bulges;
};
/// As HitSink.
using ScoredHitSink = std::function<void(const ScoredHitChunk& chunk)>;

/// Searches batches of guides on all cores or on a GPU. Where there are enough guides of one length
/// whose letters are bases, 128 or more on the CPU, it makes a table of the sites of their PAM,
/// which it keeps for later calls; others are compared with every place. Several threads may call.
class GSX_API GuideSearcher {
 public:
  /// Owns the index together with the Index that it was given. Tables of sites take at most
  /// `table_memory` bytes, by default 3/4 of the memory that is free; with less than they need,
  /// about 40 bytes per site, each call makes them part by part. Throws UsageError for an index
  /// that is not DNA, DeviceError where a GPU was demanded, ResourceError. Cost: with a GPU, a copy
  /// of the text.
  explicit GuideSearcher(const Index& index, const SearchOptions& options = {},
                         std::uint64_t table_memory = unlimited);
  /// Searches a text, which must stay where it is, in the same way.
  explicit GuideSearcher(const Text& text, const SearchOptions& options = {},
                         std::uint64_t table_memory = unlimited);
  explicit GuideSearcher(Text&&, const SearchOptions& = {}, std::uint64_t = unlimited) = delete;
  GuideSearcher(GuideSearcher&&) noexcept;
  GuideSearcher& operator=(GuideSearcher&&) noexcept;
  ~GuideSearcher();

  /// What does the work, as BatchSearcher::device() says it.
  std::string device() const;

  /// The sites of each guide, counted and scored: [guides]; max_hits does not matter. A guide that
  /// is empty or cannot be asked for (why_not_asked() with `iupac`) has none. Guides do not hold
  /// the PAM. Throws UsageError for options that are out of range, InputError for a score table
  /// with a PAM of another length, ResourceError.
  /// Cost: with 4 mismatches, on human chromosome 21, 0.1 s of CPU time for the table and 0.15 ms
  /// per guide.
  std::vector<GuideSites> count(std::span<const std::string_view> guides,
                                const GuideOptions& options = {}) const;

  /// Returns what count() does, and gives `sink` the sites of all guides, as
  /// MismatchBatchSearcher::locate does: in the order of the guides, those of each in the order of
  /// the text. Throws what count() throws,
  /// and UsageError for an empty sink. What the sink throws ends the work and comes out here. Cost:
  /// with max_hits, sites are found twice; with several PAMs, a guide with more sites than a 16th
  /// of `table_memory` holds is searched several times.
  std::vector<GuideSites> locate(std::span<const std::string_view> guides,
                                 const GuideOptions& options, const ScoredHitSink& sink) const;

  /// The letters of a hit of this guide with these options and this bulge, PAM included, in the
  /// direction of the guide; those that the guide does not match in lower case.
  std::string site(Hit hit, std::string_view guide, const GuideOptions& options = {},
                   int bulge = 0) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gsx
