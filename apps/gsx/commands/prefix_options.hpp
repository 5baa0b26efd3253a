// The options of gsx prefix.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.hpp"
#include "options/numbers.hpp"
#include "options/options.hpp"
#include "output/json/json.hpp"

namespace gsx::app {

struct PrefixCommand {
  std::vector<std::string> files;
  std::vector<std::string> entries;
  std::vector<std::string> set_files;
  std::string cram_reference;
  bool counts = false;
  std::string output;
  bool no_header = false;
  std::string summary;
  SizeLimit memory_limit;
  DeviceOptions device;

  /// Throws UsageError for options that contradict each other, or name no input.
  void check(Session& session) const;
  /// The options that affect results.
  JsonMembers as_json() const;
};

void add_prefix_options(CLI::App& command, PrefixCommand& options);

}  // namespace gsx::app
