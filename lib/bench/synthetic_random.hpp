// Random numbers for the synthetic texts; the same on any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.hpp"

namespace gsx {

/// SplitMix64 (Steele, Lea and Flood, 2014): small, fast, and good enough for test data.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// The random numbers of one of many parts of a text.
inline Random random_of(std::uint64_t seed, std::uint64_t part) {
  return Random(seed * 0x2545F4914F6CDD1D + part + 1);
}

/// Cuts [0, length) into pieces, each with its own random numbers, and calls fill(random, begin,
/// end) for each on `threads` threads.
template <class Fill>
void for_pieces(std::uint64_t length, std::uint64_t seed, int threads, const Fill& fill) {
  constexpr std::uint64_t piece_size = std::uint64_t{1} << 20;
  parallel_for(threads, (length + piece_size - 1) / piece_size, [&](std::uint64_t piece, int) {
    Random random = random_of(seed, piece);
    const std::uint64_t begin = piece * piece_size;
    fill(random, begin, std::min(length, begin + piece_size));
  });
}

}  // namespace gsx
