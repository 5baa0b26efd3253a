#include "search/edits/pattern_masks.hpp"

#include "search/mismatches/base_set.hpp"
#include "text/alphabet.hpp"

namespace gsx {

PatternMasks::PatternMasks(std::span<const std::uint8_t> pattern, bool dna)
    : length_(static_cast<std::uint32_t>(pattern.size())),
      words_((length_ + 63) / 64),
      masks_(words_) {
  const auto set_bit = [this](std::uint32_t code, std::size_t i) {
    if (rows_[code] == 0) {  // there are at most 255 codes, so a row has a number below 256
      rows_[code] = static_cast<std::uint8_t>(masks_.size() / words_);
      masks_.resize(masks_.size() + words_);
    }
    masks_[std::size_t{rows_[code]} * words_ + i / 64] |= std::uint64_t{1} << i % 64;
  };
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (!dna) {
      if (pattern[i] != Alphabet::none) set_bit(pattern[i], i);
      continue;
    }
    for (std::uint32_t code = 0; code < 4; ++code)
      if (has_base(pattern[i], code)) set_bit(code, i);
  }
}

}  // namespace gsx
