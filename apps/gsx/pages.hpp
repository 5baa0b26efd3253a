// The commands that print a page and do nothing else: help and completion.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <map>
#include <string>

namespace gsx::app {

/// By the name of a command: gives the page, once the command's options have their values.
using Pages = std::map<std::string, std::function<std::string()>>;

/// Each adds one command to `app`, and its page to `pages`. The page is made from all commands.
void add_help_command(CLI::App& app, Pages& pages);
void add_completion_command(CLI::App& app, Pages& pages);

}  // namespace gsx::app
