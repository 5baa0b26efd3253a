// Reads the command line: the command, and the values of its options as typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "pages/pages.hpp"

namespace gsx::app {

/// Whether the arguments ask for the version, and nothing else is to be done.
bool asks_for_version(const std::vector<std::string>& arguments);

/// Gives the options of the command that `arguments` names their values, and runs its callback. If
/// a page was asked for (help, or one of `pages`), returns its text instead. Throws
/// UsageError whose message ends with where to find help.
///
/// Options and other arguments may come in any order; nothing after "--" is an option. Environment
/// variables stand in for options that are not given. CLI11 registers the options, converts their
/// values, and checks which of them go together; it does not see the command line itself.
std::optional<std::string> read_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                                          const Pages& pages);

}  // namespace gsx::app
