// Manual pages, made from what the parser knows.
#pragma once

#include <string>

#include "options/command_line.hpp"

namespace gsx::app {

/// The page gsx(1) of the program, as roff with the macros of man(7).
std::string program_manual(const CLI::App& app);

/// The page gsx-COMMAND(1) of a command.
std::string command_manual(const CLI::App& app, const CLI::App& command);

}  // namespace gsx::app
