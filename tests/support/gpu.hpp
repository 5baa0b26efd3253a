// For tests of the device.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "kernels/testing/view_checks.hpp"

/// Skips the test case, and says so, where there is no GPU.
#define GSX_NEED_GPU()                    \
  if (!gsx::testing::have_gpu()) {        \
    MESSAGE("no test case ran on a GPU"); \
    return;                               \
  }

namespace gsx::testing {

/// The longest tests take one in this many of their texts, or texts of this part of their length:
/// $GSX_TEST_SHARE, for compute-sanitizer, under which all takes a hundred times as long. Else 1.
inline std::uint64_t test_share() {
  const char* share = std::getenv("GSX_TEST_SHARE");
  return share == nullptr ? 1 : std::stoul(share);
}

}  // namespace gsx::testing
