// How much memory a run of the program took.
#pragma once

#include <string>

#include "support/program.hpp"

namespace gsx::testing {

/// Peak host memory of a run in bytes, as the system counts it; the run may fail.
inline double peak_of(const std::string& command, const TemporaryFolder& folder, Outcome& outcome) {
  outcome = run_shell(
      "python3 -c 'import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
      "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open(\"peak\", "
      "\"w\")); sys.exit(code)' " +
          command,
      {.folder = folder.path()});
  return std::stod(folder.read("peak")) * 1024;
}

}  // namespace gsx::testing
