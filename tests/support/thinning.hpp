// Fewer random cases under sanitizers, where each takes many times as long.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/sanitized.hpp"
#include "support/seeds.hpp"

namespace gsx::testing {

/// Whether there are sanitizers and GSX_FULL_SWEEPS does not ask for everything.
inline bool thinned() {
  static const bool full = std::getenv("GSX_FULL_SWEEPS") != nullptr;
  return sanitized && !full;
}

/// The part of the random cases that remains if tests are thinned: one in so many of those that
/// start threads, and of the others. ThreadSanitizer takes longest, and finds little in the others.
inline constexpr int thinning = 4;
#ifdef __SANITIZE_THREAD__
inline constexpr int serial_thinning = 16;
#else
inline constexpr int serial_thinning = thinning;
#endif

/// A number of random rounds, or a part of it if tests are thinned.
inline int rounds(int count) {
  return thinned() ? std::max(1, count / thinning) : count;
}

/// The same for rounds that start few threads.
inline int serial_rounds(int count) {
  return thinned() ? std::max(1, count / serial_thinning) : count;
}

/// The number of random cases of a property: $GSX_CASES, or serial_rounds(usual).
inline std::uint64_t random_cases(int usual) {
  const char* const given = std::getenv("GSX_CASES");
  return given != nullptr ? std::strtoull(given, nullptr, 10)
                          : static_cast<std::uint64_t>(serial_rounds(usual));
}

/// All items, or a part of them if tests are thinned; the seed of the run chooses which. For items
/// whose tests start few threads.
template <class T>
std::vector<T> thinned(std::vector<T> all) {
  if (!thinned()) return all;
  const std::size_t step = std::min<std::size_t>(serial_thinning, all.size());
  std::vector<T> some;
  for (std::size_t i = run_seed() % step; i < all.size(); i += step)
    some.push_back(std::move(all[i]));
  return some;
}

}  // namespace gsx::testing
