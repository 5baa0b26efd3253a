#include "analysis/barcodes/read_decision.hpp"

#include <algorithm>

namespace gsx {

void DecidedReads::add(const NearestEntries& several, std::uint64_t place,
                       std::optional<std::uint32_t> target, std::uint64_t reads) {
  if (!target) {
    ambiguous[place] += reads;
    return;
  }
  const auto entries = several.of(place);
  const auto at = std::ranges::lower_bound(entries, *target) - entries.begin();
  corrected[several.begin_of(place) + static_cast<std::uint64_t>(at)] += reads;
}

std::optional<std::uint32_t> ReadDecision::of(std::uint64_t place, std::string_view qualities) {
  const std::uint32_t sequence = all_.several.sequences[place];
  candidates_.clear();
  for (const std::uint32_t entry : all_.several.of(place)) {
    const std::uint32_t quality =
        qualities.empty() ? 0
                          : quality_of_errors(all_.set, sequence, all_.targets, entry, qualities);
    candidates_.push_back({entry, all_.targets.count(entry), quality});
  }
  return likeliest(candidates_, all_.confidence);
}

CorrectionFigures figures_of(const SetCorrections& all, const DecidedReads& decided) {
  CorrectionFigures figures;
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < all.set.size(); ++i) {
    if (next < all.several.sequences.size() && all.several.sequences[next] == i) {
      ++next;
    } else {
      figures.add(all.of_sequences[i].kind, all.set.count(i));
    }
  }
  for (const std::uint64_t reads : decided.corrected)
    figures.add(CorrectionKind::corrected, reads);
  for (const std::uint64_t reads : decided.ambiguous)
    figures.add(CorrectionKind::ambiguous, reads);
  return figures;
}

}  // namespace gsx
