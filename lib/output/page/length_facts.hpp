// Statistics of the lengths of records or of runs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace gsx {

/// Lengths from `from` to `to`, both included, and how many there are.
struct LengthBin {
  std::uint64_t from;
  std::uint64_t to;
  std::uint64_t count = 0;
};

struct LengthPoint {
  double part;  ///< of all symbols
  std::uint64_t length;
};

/// What is said of some lengths. Memory: 8 bytes per length while it is made; none after.
struct LengthFacts {
  /// `genome` is the length that NG50 refers to; 0 if there is none.
  explicit LengthFacts(std::vector<std::uint64_t> lengths, std::uint64_t genome = 0);

  std::uint64_t count = 0;
  std::uint64_t total = 0;
  std::uint64_t shortest = 0;
  std::uint64_t longest = 0;
  std::uint64_t median = 0;
  std::uint64_t n50 = 0;  ///< the longest lengths down to this one hold half of all symbols
  std::uint64_t n90 = 0;
  std::uint64_t l50 = 0;                ///< how many they are
  std::uint64_t genome = 0;             ///< as given
  std::optional<std::uint64_t> ng50;    ///< as N50, of half of `genome`, if they hold so much
  bool is_logarithmic = false;          ///< whether the bins grow
  std::vector<LengthBin> bins;          ///< at most some 60, without a gap
  std::vector<LengthPoint> cumulative;  ///< the length that is Nx, by x, at most 300 of them
};

}  // namespace gsx
