#include "search/mismatches/place_taker.hpp"

#include <bit>

#include "search/mismatches/compare_rest.hpp"

namespace gsx {

void PlaceTaker::take_each(std::uint64_t position, std::uint64_t found, const std::uint64_t* digit,
                           int digits) {
  for (; found != 0; found &= found - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(found));
    std::uint32_t value = 0;
    for (int d = 0; d < digits; ++d)
      value |= static_cast<std::uint32_t>(digit[d] >> lane & 1) << d;
    std::uint32_t mismatches = value - program_->start + program_->lost;
    if (program_->has_rest() && !fits(position + lane, mismatches)) continue;
    ++strand_counts_[mismatches];
    if (collects_) hits_->add(program_->pattern, {position + lane, program_->reverse, mismatches});
  }
}

/// Adds the mismatches of the symbols that were not scanned; whether the place is still one.
bool PlaceTaker::fits(std::uint64_t position, std::uint32_t& mismatches) const {
  return compare_rest(text_, position, program_->length, BitBlock::reach,
                      programs_.rest_of(*program_).data(), programs_.most(), mismatches);
}

}  // namespace gsx
