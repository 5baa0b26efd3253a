// Test cases that cannot run here say so, and count as skipped, not as passed.
//
// A program whose selected cases were all skipped ends with skipped_exit_code, by which ctest knows
// it; one failure among them outranks every skip. GSX_REQUIRE_<NEED>=1, as in GSX_REQUIRE_GPU=1,
// makes a skip for want of that thing a failure: set it where the thing must be there.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace gsx::testing {

/// ctest's SKIP_RETURN_CODE for every suite.
inline constexpr int skipped_exit_code = 77;

/// Cases that were skipped so far; main.cpp reads it at the end.
inline int skipped_cases = 0;

/// Whether the environment says that a skip for want of `need` is a failure.
inline bool is_required(const std::string& need) {
  const char* value = std::getenv(("GSX_REQUIRE_" + need).c_str());
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

}  // namespace gsx::testing

/// Ends the test case as skipped if `condition` holds; `reason` is a string literal.
#define GSX_SKIP_IF(condition, reason) \
  if (condition) {                     \
    ++gsx::testing::skipped_cases;     \
    MESSAGE("skipped: " reason);       \
    return;                            \
  }

/// Ends the test case as skipped unless `condition` holds, or as failed if GSX_REQUIRE_<need> is
/// set; `need` and `reason` are string literals.
#define GSX_NEED(need, condition, reason)                        \
  if (!(condition)) {                                            \
    if (gsx::testing::is_required(need)) {                       \
      FAIL(reason << ", and GSX_REQUIRE_" need " asks for one"); \
    }                                                            \
    ++gsx::testing::skipped_cases;                               \
    MESSAGE("skipped: " reason);                                 \
    return;                                                      \
  }
