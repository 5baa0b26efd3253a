// Completion scripts, made from what the parser knows.
#pragma once

#include <string>

#include "options/command_line.hpp"

namespace gsx::app {

/// Each returns a completion script that needs nothing but its shell. It completes commands,
/// options, values that are choices, and file names where an option or argument takes one.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace gsx::app
