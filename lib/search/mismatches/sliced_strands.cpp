#include "search/mismatches/sliced_strands.hpp"

#include <algorithm>

#include "search/mismatches/strands_asked.hpp"
#include "search/mismatches/survivors.hpp"

namespace gsx {
namespace {

PositionMasks masks_of(BaseSet set) {
  const auto mismatch = [set](std::uint32_t code) {
    return has_base(set, code) ? std::uint32_t{0} : ~std::uint32_t{0};
  };
  const std::uint32_t a = mismatch(0), c = mismatch(1), g = mismatch(2), t = mismatch(3);
  return {a, a ^ c, a ^ g, a ^ c ^ g ^ t};
}

/// The first multiple of 4 positions behind which hardly one place is left in the windows that are
/// compared together.
std::uint32_t positions_to_check(std::span<const BaseSet> sets, std::uint32_t most) {
  constexpr double places = 32 * PlaceWindow::places, worth_checking = 0.3;
  Survivors survivors(most);
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    if (i % 4 == 0 && places * survivors.share() < worth_checking) return i;
    survivors.add(sets[i]);
  }
  return PlaceWindow::reach;
}

}  // namespace

SlicedStrands::SlicedStrands(const SetPatterns& patterns, const MismatchRequest& request)
    : most_(request.mismatches) {
  for_each_strand(patterns, request,
                  [this](std::uint32_t pattern, std::span<const BaseSet> strand, bool reverse) {
                    add(pattern, strand, reverse);
                  });
  if (strands_.size() % 2 != 0) {  // the last one's partner is none
    SlicedStrand none;
    none.positions = strands_.back().positions;
    none.masks = static_cast<std::uint32_t>(masks_.size());
    masks_.resize(masks_.size() + none.positions);
    strands_.push_back(none);
  }
  for (std::uint32_t pair = 0; pair < strands_.size() / 2; ++pair)
    add_to_tile(pair);
}

void SlicedStrands::add(std::uint32_t pattern, std::span<const BaseSet> sets, bool reverse) {
  const auto scanned = std::min<std::size_t>(sets.size(), PlaceWindow::reach);
  const auto positions = static_cast<std::uint32_t>((scanned + 3) / 4 * 4);
  if (strands_.size() % 2 != 0) {  // the partners have as many positions as each other
    strands_.back().positions = positions;
    masks_.resize(strands_.back().masks + positions);
  }
  SlicedStrand strand;
  strand.length = sets.size();
  strand.rest = rest_.size();
  strand.masks = static_cast<std::uint32_t>(masks_.size());
  strand.pattern = pattern;
  strand.positions = positions;
  strand.check_from = positions_to_check(sets.first(scanned), most_);
  strand.reverse = reverse ? 1 : 0;
  for (std::size_t i = 0; i < scanned; ++i) {
    masks_.push_back(masks_of(sets[i]));
    if (is_strict(sets[i])) strand.strict |= std::uint64_t{1} << i;
  }
  masks_.resize(strand.masks + strand.positions);
  rest_.insert(rest_.end(), sets.begin() + static_cast<std::ptrdiff_t>(scanned), sets.end());
  strands_.push_back(strand);
}

/// Adds a pair to a tile.
void SlicedStrands::add_to_tile(std::uint32_t pair) {
  SlicedStrand& first = strands_[pair * 2];
  SlicedStrand& second = strands_[pair * 2 + 1];
  first.check_from = second.check_from = std::max(first.check_from, second.check_from);
  const std::uint32_t begin = first.masks, end = second.masks + second.positions;
  if (tiles_.empty() || end - tiles_.back().masks_begin > tile_masks) {
    tiles_.push_back({pair, pair, begin, begin});
  }
  tiles_.back().last = pair + 1;
  tiles_.back().masks_end = end;
}

}  // namespace gsx
