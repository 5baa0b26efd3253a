// Scores sites of guides, by the MIT formula or by a table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/guides/pam.hpp"
#include "analysis/guides/score_table.hpp"

namespace gsx {

/// A way to score sites; by default none has a score.
class SiteScorer {
 public:
  SiteScorer() = default;
  /// MIT scores, for guides of mit_guide_length with the PAM behind them.
  static SiteScorer mit(const Pam& pam);
  /// Those of a table, for sites of these PAMs. Throws InputError if the table has a PAM that is
  /// not as long as they are.
  SiteScorer(const ScoreTable& table, const std::vector<Pam>& pams);

  /// Whether the sites of a guide have scores.
  bool covers(std::string_view guide) const {
    return guide_length_ != 0 && guide.size() == guide_length_;
  }
  /// The length of the guides whose sites have scores; 0 if none have.
  std::size_t guide_length() const { return guide_length_; }

  /// The score of a site, 0 to full_score. `pattern` is that of the guide, PAM included, `codes`
  /// are the bases of the site in its direction, and `mismatches` the positions where they differ,
  /// ascending. Pre: covers() the guide.
  std::uint64_t score(std::span<const BaseSet> pattern, std::span<const std::uint8_t> codes,
                      std::span<const std::uint32_t> mismatches) const;

 private:
  /// A weight of PAMs, which are as many sets of bases.
  struct OfPam {
    std::vector<BaseSet> sets;
    double weight;
  };
  double weight_of_pam(std::span<const std::uint8_t> pam) const;

  std::size_t guide_length_ = 0;
  bool mit_ = false;
  std::uint32_t pam_begin_ = 0;
  std::uint32_t pam_size_ = 0;
  std::uint32_t guide_begin_ = 0;
  std::vector<double> weights_;  ///< [position][set of the guide's letter][base of the site]
  std::vector<OfPam> pams_;      ///< the first that fits counts
};

}  // namespace gsx
