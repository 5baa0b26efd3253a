// For tests that need a GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "device_calls/view_checks.hpp"
#include "support/skip.hpp"

/// Skips the test case if there is no GPU.
#define GSX_NEED_GPU() GSX_NEED("GPU", gsx::testing::have_gpu(), "there is no GPU")

namespace gsx::testing {

/// Long tests run one case in this many, or texts of this fraction of their length:
/// $GSX_TEST_SHARE, or 1. For compute-sanitizer, under which everything takes a hundred times as
/// long.
inline std::uint64_t test_share() {
  const char* share = std::getenv("GSX_TEST_SHARE");
  return share == nullptr ? 1 : std::max<std::uint64_t>(1, std::stoul(share));
}
/// That share of a number of cases or symbols, but at least `least`.
inline std::uint64_t share_of(std::uint64_t number, std::uint64_t least = 1) {
  return std::max(std::min(number, least), number / test_share());
}
/// Whether the tests run in full.
inline bool full_tests() {
  return test_share() == 1;
}

}  // namespace gsx::testing
