// Who makes the levels of a wavelet sequence.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "base/buffer.hpp"

namespace gsx {

/// What is known of the levels before they are made.
struct LevelSizes {
  std::vector<std::uint64_t> sizes;                  ///< codes of each level
  std::vector<std::array<std::uint64_t, 4>> digits;  ///< of each level: how often each digit occurs

  std::uint32_t count() const { return static_cast<std::uint32_t>(sizes.size()); }
  /// Where the digit of a level is in a code: the two bits from here on.
  std::uint32_t shift(std::uint32_t level) const { return 2 * (count() - 1 - level); }
};

/// Makes levels of codes of as many digits as there are levels, the highest digit first. Level 0
/// holds all codes, each further one the first of those of the level above once these are sorted
/// stably by its digit.
class LevelMaker {
 public:
  virtual ~LevelMaker() = default;
  /// Take and free the codes. Pre: there is a level. Throw ResourceError, and what a device fails
  /// with.
  virtual std::vector<QuadVector> make(Buffer<std::uint8_t> codes, const LevelSizes& sizes) = 0;
  virtual std::vector<QuadVector> make(Buffer<std::uint16_t> codes, const LevelSizes& sizes) = 0;
  virtual std::vector<QuadVector> make(Buffer<std::uint32_t> codes, const LevelSizes& sizes) = 0;
};

}  // namespace gsx
