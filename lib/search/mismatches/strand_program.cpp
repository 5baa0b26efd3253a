#include "search/mismatches/strand_program.hpp"

#include <algorithm>

#include "search/mismatches/mismatch_counter.hpp"
#include "search/mismatches/strands_asked.hpp"
#include "search/mismatches/survivors.hpp"

namespace gsx {
StrandPrograms::StrandPrograms(const SetPatterns& patterns, const MismatchRequest& request)
    : most_(request.mismatches) {
  for_each_strand(patterns, request,
                  [this](std::uint32_t pattern, std::span<const BaseSet> strand, bool reverse) {
                    add(pattern, strand, reverse);
                  });
}

void StrandPrograms::add(std::uint32_t pattern, std::span<const BaseSet> sets, bool reverse) {
  // Words of 256 lanes in which a lane is left with this chance are looked at again.
  constexpr double worth_checking = 0.4, lanes = 256;

  std::vector<std::uint32_t> strict, counted;  // positions
  std::uint32_t lost = 0;
  const auto scanned =
      static_cast<std::uint32_t>(std::min<std::size_t>(sets.size(), BitBlock::reach));
  for (std::uint32_t i = 0; i < scanned; ++i) {
    if (bases_of(sets[i]) == 4) continue;
    if (bases_of(sets[i]) == 0 && is_strict(sets[i])) return;
    if (bases_of(sets[i]) == 0) {
      ++lost;
    } else {
      (is_strict(sets[i]) ? strict : counted).push_back(i);
    }
  }
  if (lost > most_) return;

  StrandProgram program;
  program.length = sets.size();
  program.rest = rest_sets_.size();
  program.pattern = pattern;
  program.planes = static_cast<std::uint32_t>(planes_.size());
  program.strict = static_cast<std::uint32_t>(strict.size());
  program.fours = static_cast<std::uint32_t>((counted.size() + 3) / 4);
  program.start = counter_start(counter_digits(most_), most_ - lost);
  program.lost = lost;
  program.reverse = reverse;

  Survivors survivors(most_ - lost);
  const auto add_planes = [&](std::vector<std::uint32_t>& positions) {
    std::stable_sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
      return bases_of(sets[a]) < bases_of(sets[b]);
    });
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const BaseSet set = sets[positions[i]];
      sets_ = static_cast<SetsUsed>(sets_ | 1u << (set & base_sets::any));
      planes_.push_back(BitBlock::plane(set, positions[i]));
      survivors.add(set);
      const bool is_checked = lanes * survivors.share() <= worth_checking;
      if (!is_strict(set) && i % 4 == 3 && !is_checked)
        program.unchecked = static_cast<std::uint32_t>(i / 4 + 2);
    }
  };
  add_planes(strict);
  program.unchecked = lanes * survivors.share() <= worth_checking ? 0 : 1;
  add_planes(counted);
  planes_.resize(program.planes + program.strict + std::size_t{program.fours} * 4,
                 BitBlock::plane(base_sets::any, 0));
  if (program.has_rest()) {
    const auto rest = sets.subspan(BitBlock::reach);
    rest_sets_.insert(rest_sets_.end(), rest.begin(), rest.end());
  }
  programs_.push_back(program);
}

}  // namespace gsx
