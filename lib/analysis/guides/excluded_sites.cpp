// Counts the sites of a PAM whose guides reach over the end of a segment.
#include <algorithm>
#include <vector>

#include "analysis/guides/site_report.hpp"

namespace gsx {
namespace {

/// A PAM on one strand, as places hold it from left to right.
struct StrandPam {
  std::vector<BaseSet> sets;
  bool left = false;  ///< of the guide
};

StrandPam strand_pam(const Pam& pam, bool reverse) {
  std::vector<BaseSet> sets;
  for (const char letter : pam.letters)
    sets.push_back(iupac_base_set(letter));
  return {reverse ? reverse_complement_of(sets) : sets, pam.before_guide != reverse};
}

bool matches_at(const TextView& text, std::uint64_t p, const std::vector<BaseSet>& sets) {
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (!has_base(sets[i], static_cast<std::uint32_t>(text.symbols[p + i]))) return false;
  return true;
}

}  // namespace

std::uint64_t count_excluded_sites(const TextView& text, const RecordsView& records, const Pam& pam,
                                   std::uint64_t guide_length, Strands strands) {
  std::vector<StrandPam> sought;
  for (const bool reverse : {false, true}) {
    if (strands != (reverse ? Strands::forward : Strands::reverse))
      sought.push_back(strand_pam(pam, reverse));
  }
  std::uint64_t excluded = 0;
  for (std::uint64_t s = 0; s < text.segments.count; ++s) {
    const std::uint64_t begin = text.segments.starts[s];
    const std::uint64_t length = text.segments.starts[s + 1] - 1 - begin;
    const std::uint64_t before = records.segment_offsets[s];  // symbols of the record
    const std::uint64_t after = records.infos[records.segment_records[s]].length - before - length;
    if (length < pam.size() || before + after == 0) continue;
    const std::uint64_t last = length - pam.size();  // where the last PAM of the segment starts
    for (const StrandPam& strand : sought) {
      // From the end at the guide's side: the guide needs more symbols than the segment has there,
      // and no more than the record has.
      const std::uint64_t beyond = strand.left ? after : before;
      for (std::uint64_t d = 0; d <= std::min(last, guide_length - 1); ++d) {
        if (d + beyond < guide_length) continue;
        if (matches_at(text, begin + (strand.left ? last - d : d), strand.sets)) ++excluded;
      }
    }
  }
  return excluded;
}

}  // namespace gsx
