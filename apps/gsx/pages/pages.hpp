// The commands that only print a page: help and completion.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "options/command_line.hpp"

namespace gsx::app {

/// For each command name, a function that makes the page once the options have their values.
using Pages = std::map<std::string, std::function<std::string()>>;

/// Each adds one command to `app` and its page to `pages`. The page describes all commands.
void add_help_command(CLI::App& app, Pages& pages);
void add_completion_command(CLI::App& app, Pages& pages);

}  // namespace gsx::app
