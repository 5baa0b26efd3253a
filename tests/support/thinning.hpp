// Fewer random cases under sanitizers, where each takes ten to fifty times as long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/seeds.hpp"

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

/// As rounds(), for what starts few threads: a sixteenth under ThreadSanitizer, which finds little
/// in it and takes longest.
inline int serial_rounds(int count) {
#ifdef __SANITIZE_THREAD__
  return thinned() ? std::max(1, count / 16) : count;
#else
  return rounds(count);
#endif
}

/// The number of random cases of a property: $GSX_CASES, or serial_rounds(usual).
inline std::uint64_t random_cases(int usual) {
  const char* const given = std::getenv("GSX_CASES");
  return given != nullptr ? std::strtoull(given, nullptr, 10)
                          : static_cast<std::uint64_t>(serial_rounds(usual));
}

/// All items, or one in four if tests are thinned; the seed of the run chooses which.
template <class T>
std::vector<T> thinned(std::vector<T> all) {
  if (!thinned()) return all;
  std::vector<T> some;
  for (std::size_t i = run_seed() % std::min<std::size_t>(4, all.size()); i < all.size(); i += 4)
    some.push_back(std::move(all[i]));
  return some;
}

}  // namespace gsx::testing
