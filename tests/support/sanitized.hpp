// Which program the tests start, and whether it is instrumented.
#pragma once

#include <cstdlib>
#include <string>

namespace gsx::testing {

/// Whether the gsx that tests start has sanitizers: it is slow, and needs more memory than any
/// limit on the address space allows. So it is in a build with sanitizers, and if
/// $GSX_TEST_SANITIZED is set.
#ifdef GSX_SANITIZED
inline constexpr bool sanitized = true;
#else
inline const bool sanitized = std::getenv("GSX_TEST_SANITIZED") != nullptr;
#endif

#ifdef GSX_PROGRAM
/// The gsx that tests start: $GSX_TEST_PROGRAM, or that of this build. Tests of processes need no
/// sanitizers themselves, so those of one build can test the program of another.
inline const std::string gsx_program = [] {
  const char* const given = std::getenv("GSX_TEST_PROGRAM");
  return std::string(given != nullptr ? given : GSX_PROGRAM);
}();
#endif

}  // namespace gsx::testing
