// Writes values as text.
#pragma once

#include <array>
#include <cstdint>

#include "output/tracks/piece_runs.hpp"

namespace gsx {

/// The most characters of a value.
inline constexpr std::size_t most_value_digits = 24;

/// Writes values of a track in decimal: counts and whole floats up to 2^24 by their digits, other
/// floats by the fewest characters that read back as the same float. Remembers what it wrote for
/// some values, because a track has few different ones.
class ValueText {
 public:
  explicit ValueText(TrackKind kind) : kind_(kind) {}

  /// Writes a value and returns its end. Pre: there is room for most_value_digits, of which those
  /// behind the end may be written, too.
  char* put(char* at, std::uint32_t bits);

 private:
  struct Known {
    std::uint32_t bits = 0;
    std::uint32_t length = 0;  ///< 0: nothing is known
    std::array<char, 16> text = {};
  };
  static constexpr std::uint32_t slot_bits = 10;

  TrackKind kind_;
  std::array<Known, 1U << slot_bits> known_;
};

}  // namespace gsx
