// An index in one file, one.gsx, and the same in shards, many.gsx.
#pragma once

#include "support/program.hpp"

namespace gsx::testing {

/// Checks that a command, whose -x this adds, gives for many.gsx of a folder what it gives for
/// one.gsx.
inline void check_same_for_shards(const TemporaryFolder& folder, Arguments command) {
  CAPTURE(command[0]);
  CAPTURE(command.back());
  command.insert(command.begin() + 1, {"-q", "-x", "one.gsx"});
  const Outcome one = run(command, {.folder = folder.path()});
  command[3] = "many.gsx";
  const Outcome many = run(command, {.folder = folder.path()});
  CAPTURE(many.err);
  CHECK(one.exit_code == 0);
  CHECK(many.exit_code == 0);
  CHECK((many.out == one.out));
}

}  // namespace gsx::testing
