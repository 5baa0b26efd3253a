// Whether a run sorted suffixes in blocks.
#pragma once

#include <string>

#include "support/program.hpp"

namespace gsx::testing {

/// Pre: the run was not quiet.
inline bool is_in_blocks(const Outcome& outcome) {
  return outcome.err.find("building the suffix array in blocks") != std::string::npos;
}

}  // namespace gsx::testing
