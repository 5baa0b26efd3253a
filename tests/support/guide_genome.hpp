// An index of a small genome, and gsx offtarget run on it.
#pragma once

#include <string>

#include "support/indexed.hpp"

namespace gsx::testing {

struct GuideGenome : IndexedFolder {
  using IndexedFolder::IndexedFolder;

  Outcome offtarget(Arguments arguments, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), {"offtarget", "-x", "g.gsx"});
    return gsx(arguments, input);
  }
  /// The sites alone.
  Outcome sites(Arguments arguments, const std::string& input = {}) const {
    arguments.insert(arguments.end(), {"-o", "/dev/null", "--sites", "-", "--without-pam"});
    return offtarget(arguments, input);
  }
};

}  // namespace gsx::testing
