// The pages that --help shows.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gsx::app {

/// Lays out help within 100 columns: usage, arguments, options by group, notes and examples. The
/// groups have one order for all commands, whatever the order in which options are registered.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace gsx::app
