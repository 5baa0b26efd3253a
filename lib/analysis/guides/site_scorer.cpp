#include "analysis/guides/site_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/guides/mit_score.hpp"
#include "base/error.hpp"

namespace gsx {
namespace {

constexpr std::size_t sets = 16;

}  // namespace

SiteScorer SiteScorer::mit(const Pam& pam) {
  SiteScorer scorer;
  scorer.mit_ = true;
  scorer.guide_length_ = pam.before_guide ? 0 : mit_guide_length;
  return scorer;
}

SiteScorer::SiteScorer(const ScoreTable& table, const std::vector<Pam>& pams)
    : guide_length_(table.guide_length),
      pam_begin_(pams[0].before_guide ? 0 : static_cast<std::uint32_t>(table.guide_length)),
      pam_size_(static_cast<std::uint32_t>(pams[0].size())),
      guide_begin_(pams[0].before_guide ? pam_size_ : 0) {
  // A letter that stands for several bases has the greatest of their weights.
  weights_.assign(guide_length_ * sets * 4, 0);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    for (std::uint32_t base = 0; base < 4; ++base) {
      if (has_base(static_cast<BaseSet>(i / 4 % sets), base))
        weights_[i] = std::max(weights_[i], table.weight(i / (4 * sets), base, i % 4));
    }
  }
  for (auto given = table.pams.rbegin(); given != table.pams.rend(); ++given) {
    if (given->letters.size() != pam_size_) {
      throw InputError((given->place.empty() ? "the score table" : given->place) + ": the PAM " +
                       given->letters + " is not as long as " + letters_of(pams) +
                       ", which is searched; fill it up with N, or cut it");
    }
    // Only those that a site can have.
    const Pam asked{as_dna(given->letters), pams[0].before_guide};
    if (std::none_of(pams.begin(), pams.end(),
                     [&](const Pam& pam) { return have_common_sites(pam, asked); }))
      continue;
    OfPam& one = pams_.emplace_back(OfPam{{}, given->weight});
    for (const char letter : given->letters)
      one.sets.push_back(iupac_base_set(letter));
  }
}

double SiteScorer::weight_of_pam(std::span<const std::uint8_t> pam) const {
  for (const OfPam& one : pams_) {
    if (std::equal(pam.begin(), pam.end(), one.sets.begin(),
                   [](std::uint8_t code, BaseSet set) { return has_base(set, code); }))
      return one.weight;
  }
  return 1;
}

std::uint64_t SiteScorer::score(std::span<const BaseSet> pattern,
                                std::span<const std::uint8_t> codes,
                                std::span<const std::uint32_t> mismatches) const {
  if (mit_) return mit_score(mismatches);
  double score = weight_of_pam(codes.subspan(pam_begin_, pam_size_));
  for (const std::uint32_t i : mismatches)
    score *= weights_[((i - guide_begin_) * sets + pattern[i]) * 4 + codes[i]];
  return static_cast<std::uint64_t>(std::llround(score * static_cast<double>(full_score)));
}

}  // namespace gsx
