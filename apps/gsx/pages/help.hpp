// The pages that --help shows.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gsx::app {

/// Lays out help within 100 columns: usage, arguments, options by group, notes and examples. The
/// order of groups is the same for all commands, in whatever order options are registered.
class HelpFormatter final : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace gsx::app
