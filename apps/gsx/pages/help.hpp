// The pages that --help shows.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gsx::app {

/// Lays out help within 100 columns: usage, arguments, options by group, notes and examples. The
/// order of groups is the same for all commands, in whatever order options are registered. Of
/// tuning options there is only a line that leads to tuning_page(). A page of more than 90 lines
/// leaves to the manual page what is not needed to call the command.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// The page of the tuning options of all commands, each once, with the commands that have it.
std::string tuning_page(const CLI::App& app);

}  // namespace gsx::app
