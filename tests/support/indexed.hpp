// A folder with a genome and its index, and gsx run in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace gsx::testing {

struct IndexedFolder {
  TemporaryFolder folder;

  explicit IndexedFolder(const std::string& fasta, Arguments more = {}) {
    folder.write("g.fa", fasta);
    more.insert(more.begin(), {"index", "-q", "g.fa"});
    REQUIRE(gsx(more).exit_code == 0);
  }
  Outcome gsx(const Arguments& arguments, std::string input = "") const {
    return run(arguments, {.input = std::move(input), .folder = folder.path()});
  }
};

}  // namespace gsx::testing
