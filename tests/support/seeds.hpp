// Seeds that are new in each run and printed, so that a failure can be repeated.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace gsx::testing {

/// The seed of this run: $GSX_SEED, or a new one. The first call prints it to standard error, which
/// ctest shows if the test fails.
inline std::uint64_t run_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("GSX_SEED");
    const std::uint64_t drawn =
        given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::fprintf(stderr, "seed %llu: GSX_SEED=%llu repeats this run\n",
                 static_cast<unsigned long long>(drawn), static_cast<unsigned long long>(drawn));
    return drawn;
  }();
  return seed;
}

}  // namespace gsx::testing
