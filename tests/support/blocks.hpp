// Whether a run sorts suffixes in blocks.
#pragma once

#include <cstdint>
#include <string>

#include "support/program.hpp"

namespace gsx::testing {

/// Pre: the run was not quiet.
inline bool is_in_blocks(const Outcome& outcome) {
  return outcome.err.find("building the suffix array in blocks") != std::string::npos;
}

/// A limit that is too low to sort all suffixes at once, of a command that has --plan.
inline std::string limit_for_blocks(Arguments command, const RunOptions& options) {
  constexpr std::uint64_t too_few = 4'000'000;
  command.insert(command.end(), {"-q", "--plan"});
  const std::string plan = output_of(run(command, options)), name = "host_bytes\t";
  REQUIRE(plan.find(name) != std::string::npos);
  return std::to_string(std::stoull(plan.substr(plan.find(name) + name.size())) - too_few);
}

}  // namespace gsx::testing
