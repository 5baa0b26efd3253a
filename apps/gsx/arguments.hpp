// Reads the command line: which command, and the values of its options as they were typed.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pages.hpp"

namespace gsx::app {

/// Gives the command named in `arguments` its options and runs its callback; or gives the text that
/// was asked for (version, and what `pages` has). Throws UsageError, which ends in where help is
/// found.
///
/// Options and other arguments come in any order; what follows "--" is no option. Variables of the
/// environment stand in for options that are not given. CLI11 registers the options, converts
/// their values, and checks which of them go together; it does not see the command line itself.
std::optional<std::string> read_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                                          const std::string& version, const Pages& pages);

}  // namespace gsx::app
