// The rate of work that is done several times.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/resources.hpp"

namespace gsx {

/// `amount` per second in the best of three runs, after one that warms up.
template <class Work>
double best_rate(std::uint64_t amount, const Work& work) {
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    const Stopwatch watch;
    work();
    if (round > 0) best = std::min(best, watch.seconds());
  }
  return static_cast<double>(amount) / best;
}

}  // namespace gsx
