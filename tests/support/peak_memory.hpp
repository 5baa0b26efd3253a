// How much memory a run of the program took.
#pragma once

#include <string>

#include "support/program.hpp"

namespace gsx::testing {

inline constexpr double megabyte = 1e6;
/// Bytes of pages of the program, its libraries and a small index, which no limit counts.
inline constexpr double mapped_bytes = 15 * megabyte;

/// Peak host memory in bytes, as the system counts it, of gsx with arguments as a shell reads them;
/// the run may fail.
inline double peak_of(const std::string& arguments, const TemporaryFolder& folder,
                      Outcome& outcome) {
  outcome = run_shell(
      "python3 -c 'import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
      "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(\"peak\", "
      "\"w\")); sys.exit(code)' \"$gsx\" " +
          arguments,
      {.folder = folder.path(), .timeout_seconds = 600});
  return std::stod(folder.read("peak")) * 1024;
}

/// The same of a run that has to succeed.
inline double peak_of(const std::string& arguments, const TemporaryFolder& folder) {
  Outcome outcome;
  const double peak = peak_of(arguments, folder, outcome);
  CAPTURE(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  return peak;
}

}  // namespace gsx::testing
