#include "search/edits/edit_seeds.hpp"

#include <algorithm>
#include <cmath>

#include "text/alphabet.hpp"

namespace gsx {
namespace {

/// How many times more rows than in random text a string has in a genome. A search counts the rows
/// before it locates them, so this need not be the worst.
constexpr double skew = 1.5;

/// A string within one edit has a base replaced (3), left out (4 times as frequent) or put in (4, a
/// quarter as frequent).
double cost_of(const EditPieces& pieces, const SeedCosts& costs) {
  double cost = 0;
  for (const SeedPiece& piece : pieces.pieces) {
    const auto length = static_cast<double>(piece.length);
    const double strings = pieces.near ? 6 * length : 1, share = pieces.near ? 8 * length : 1;
    const double rows = skew * costs.length * share * std::pow(costs.sigma, -length);
    cost += strings * costs.lookup + (1 + rows) * costs.place;
  }
  return cost;
}

}  // namespace

const EditPieces& EditCutter::cut(std::span<const std::uint8_t> pattern, std::uint32_t edits,
                                  const SeedCosts& costs) {
  sets_.resize(pattern.size());
  std::transform(pattern.begin(), pattern.end(), sets_.begin(), [this](std::uint8_t symbol) {
    if (dna_) return static_cast<BaseSet>(symbol & base_sets::any);
    // Any one base stands for a code.
    return symbol == Alphabet::none ? base_sets::none : BaseSet{1};
  });
  // A position that matches nothing is an edit wherever it is aligned, as it is a mismatch.
  const auto certain = static_cast<std::uint32_t>(
      std::min<std::ptrdiff_t>(edits, std::count(sets_.begin(), sets_.end(), base_sets::none)));
  exact_.can_be_cut = cutter_.cut(sets_, edits, exact_.pieces);
  exact_.cost = cost_of(exact_, costs);
  if (!dna_ || edits == certain) return exact_;
  near_.near = true;
  near_.can_be_cut = cutter_.cut(sets_, certain + (edits - certain) / 2, near_.pieces) &&
                     std::all_of(near_.pieces.begin(), near_.pieces.end(),
                                 [](const SeedPiece& piece) { return piece.length > 2; });
  near_.cost = cost_of(near_, costs);
  if (!near_.can_be_cut || (exact_.can_be_cut && exact_.cost <= near_.cost)) return exact_;
  return near_;
}

}  // namespace gsx
