// For tests of the device.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "kernels/testing/view_checks.hpp"
#include "support/skip.hpp"

/// Skips the test case where there is no GPU.
#define GSX_NEED_GPU() GSX_NEED("GPU", gsx::testing::have_gpu(), "there is no GPU")

namespace gsx::testing {

/// The longest tests take one in this many of their texts, or texts of this part of their length:
/// $GSX_TEST_SHARE, for compute-sanitizer, under which all takes a hundred times as long. Else 1.
inline std::uint64_t test_share() {
  const char* share = std::getenv("GSX_TEST_SHARE");
  return share == nullptr ? 1 : std::stoul(share);
}

}  // namespace gsx::testing
