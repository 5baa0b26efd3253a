// The rate of work on the device that is done several times.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/base/event.hpp"

namespace gsx::cuda {

/// `amount` per second in the best of three runs on a stream, after one that warms up.
template <class Work>
double device_rate(std::uint64_t amount, cudaStream_t stream, const Work& work) {
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    const Event begin, end;
    begin.record(stream);
    work();
    end.record(stream);
    const double seconds = end.seconds_since(begin);
    if (round > 0) best = std::min(best, seconds);
  }
  return static_cast<double>(amount) / best;
}

}  // namespace gsx::cuda
