// Fewer rounds under sanitizers, where each takes about ten times as long.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace gsx::testing {

/// Whether this build has sanitizers and GSX_FULL_SWEEPS does not ask for everything.
inline bool thinned() {
#ifdef GSX_SANITIZED
  static const bool full = std::getenv("GSX_FULL_SWEEPS") != nullptr;
  return !full;
#else
  return false;
#endif
}

/// A number of random rounds; a quarter of them if tests are thinned.
inline int rounds(int count) {
  return thinned() ? std::max(1, count / 4) : count;
}

}  // namespace gsx::testing
