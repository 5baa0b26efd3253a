// Manual pages, made from what the parser knows.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace gsx::app {

/// The page gsx(1) of the program itself, as roff with the macros of man(7).
std::string program_manual(const CLI::App& app);

/// The page gsx-COMMAND(1) of one of its commands.
std::string command_manual(const CLI::App& app, const CLI::App& command);

}  // namespace gsx::app
