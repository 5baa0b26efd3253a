// A pattern as masks: which of its positions match which symbol.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/host_device.hpp"

namespace gsx {

/// Bit i % 64 of word i / 64 of the mask of a code tells whether position i matches the code. The
/// codes that no position matches share row 0, which is empty.
struct PatternMasksView {
  const std::uint64_t* masks = nullptr;  ///< [rows][words]
  const std::uint8_t* rows = nullptr;    ///< [256] row of each code
  std::uint32_t length = 0;
  std::uint32_t words = 0;

  GSX_HD const std::uint64_t* of(std::uint32_t code) const {
    return masks + std::uint64_t{rows[code]} * words;
  }
};
static_assert(std::is_trivially_copyable_v<PatternMasksView>);

/// Owns the masks of one pattern. Memory: a bit per position and distinct symbol.
class PatternMasks {
 public:
  /// A pattern as EditPatterns has it. Pre: of at most longest_edit_pattern symbols.
  PatternMasks(std::span<const std::uint8_t> pattern, bool dna);
  PatternMasksView view() const { return {masks_.data(), rows_.data(), length_, words_}; }

 private:
  std::uint32_t length_;
  std::uint32_t words_;
  std::array<std::uint8_t, 256> rows_{};
  std::vector<std::uint64_t> masks_;
};

}  // namespace gsx
