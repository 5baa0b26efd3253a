// Takes turns among walks, so that the cache misses of one hide behind those of the others.
#pragma once

#include <array>
#include <cstddef>

namespace gsx {

/// Walks in flight per thread: enough cache misses to fill the line buffers of a core, few enough
/// that their state stays in the L1 cache.
inline constexpr std::size_t walks_in_flight = 48;

/// Runs walks until there are no more. begin(walk) starts the next one, or returns false;
/// step(walk) makes a step, and returns whether the walk goes on.
template <class Slot, class Begin, class Step>
void run_walks(const Begin& begin, const Step& step) {
  std::array<Slot, walks_in_flight> active;
  std::size_t walks = 0;
  while (walks < walks_in_flight && begin(active[walks]))
    ++walks;
  while (walks > 0) {
    for (std::size_t i = 0; i < walks; ++i) {
      if (step(active[i]) || begin(active[i])) continue;
      active[i] = active[--walks];
    }
  }
}

}  // namespace gsx
