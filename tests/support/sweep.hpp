// Sweeps that start one process per point: every point in an ordinary build, some under sanitizers.
#pragma once

#include "support/program.hpp"
#include "support/seeds.hpp"
#include "support/thinning.hpp"

namespace gsx::testing {

/// Visits one point in this many: 1, or 7 in a build with sanitizers, where a process takes ten
/// times as long. With GSX_FULL_SWEEPS=1, it visits every point there, too.
inline int sweep_step() {
  return thinned() ? 7 : 1;
}

/// Chooses the points of a sweep to visit: every sweep_step()-th. The first depends on the seed of
/// the run, so that over time all are visited.
class Sweep {
 public:
  Sweep() : phase_(run_seed()) {}

  /// Whether to visit the next point.
  bool visits() { return phase_++ % static_cast<std::uint64_t>(sweep_step()) == 0; }

  /// A number in [0, sweep_step()), different at each call: the start of a sweep whose end is
  /// unknown.
  int offset() { return static_cast<int>(phase_++ % static_cast<std::uint64_t>(sweep_step())); }

 private:
  std::uint64_t phase_;
};

}  // namespace gsx::testing
