// The commands that only print a page, help and completion, and their pages but for help itself.
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

/// The page gsx(1) of the program, as roff with the macros of man(7).
std::string program_manual(const CLI::App& app);

/// The page gsx-COMMAND(1) of a command.
std::string command_manual(const CLI::App& app, const CLI::App& command);

/// Each returns a completion script that needs nothing but its shell. It completes commands,
/// options, values that are choices, and file names where an option or argument takes one.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace gsx::app
