// Test cases that cannot run here say so, and count as skipped, not as passed.
//
// If all selected cases of a program were skipped, it ends with skipped_exit_code, which tells
// ctest; a single failure outranks every skip. GSX_REQUIRE_<NEED>=1, such as GSX_REQUIRE_GPU=1,
// turns a skip for lack of that thing into a failure: set it where the thing must exist.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace gsx::testing {

/// SKIP_RETURN_CODE of ctest for every suite.
inline constexpr int skipped_exit_code = 77;

/// Cases skipped so far; main.cpp reads it at the end.
inline int skipped_cases = 0;

/// Whether the environment turns a skip for lack of `need` into a failure.
inline bool is_required(const std::string& need) {
  const char* value = std::getenv(("GSX_REQUIRE_" + need).c_str());
  return value != nullptr && std::string_view(value) != "" && std::string_view(value) != "0";
}

}  // namespace gsx::testing

/// Skips the test case if `condition` holds; `reason` is a string literal.
#define GSX_SKIP_IF(condition, reason) \
  if (condition) {                     \
    ++gsx::testing::skipped_cases;     \
    MESSAGE("skipped: " reason);       \
    return;                            \
  }

/// Skips the test case unless `condition` holds; fails it if GSX_REQUIRE_<need> is set. `need` and
/// `reason` are string literals.
#define GSX_NEED(need, condition, reason)                        \
  if (!(condition)) {                                            \
    if (gsx::testing::is_required(need)) {                       \
      FAIL(reason << ", and GSX_REQUIRE_" need " asks for one"); \
    }                                                            \
    ++gsx::testing::skipped_cases;                               \
    MESSAGE("skipped: " reason);                                 \
    return;                                                      \
  }
