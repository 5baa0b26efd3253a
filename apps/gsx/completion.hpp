// Completion scripts, made from what the parser knows.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace gsx::app {

/// Each gives a script for its shell, which needs nothing but that shell. It completes commands,
/// options, the values of choices, and names of files where an option or argument takes one.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace gsx::app
