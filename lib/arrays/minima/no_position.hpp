// What stands for "none" among positions, and which values count as smaller.
#pragma once

#include <cstdint>
#include <limits>

namespace gsx {

/// Stands for "there is none" among positions of this type: its largest number.
template <class Position>
inline constexpr Position no_position = std::numeric_limits<Position>::max();

/// Which neighbours count: smaller values only, or equal ones too.
enum class Smaller : std::uint8_t { strictly, or_equal };

/// The rule of each side.
struct SmallerRules {
  Smaller left = Smaller::strictly;
  Smaller right = Smaller::strictly;
};

}  // namespace gsx
