// A folder to run gsx in.
#pragma once

#include "support/program.hpp"

namespace gsx::testing {

struct ProgramFolder {
  TemporaryFolder folder;

  Outcome gsx(const Arguments& arguments) const {
    return run(arguments, {.folder = folder.path()});
  }
  void run_ok(const Arguments& arguments) const {
    const Outcome outcome = gsx(arguments);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
  }
};

}  // namespace gsx::testing
