// What the parser knows of a command, in the form that help, manual pages and completions share.
#pragma once

#include <string>
#include <vector>

#include "options/command_line.hpp"

namespace gsx::app {

/// The group of the commands that help lists first.
inline constexpr const char* main_group = "Commands";

/// The group of options that few runs need. Manual pages list it with the others; of help, one page
/// lists those of all commands, by this topic.
inline constexpr const char* tuning_group = "Tuning";
inline constexpr const char* tuning_topic = "tuning";

/// The commands of the program, in the order of help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// The positional arguments, such as FILE.
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

/// The groups of options of `command`, in the order that all commands share.
std::vector<std::string> groups_of(const CLI::App& command);

/// The options of a group; common ones, which have a short name, come first.
std::vector<const CLI::Option*> options_in(const CLI::App& command, const std::string& group);

/// All options, group by group.
std::vector<const CLI::Option*> options_of(const CLI::App& command);

/// "-n" and "--name", the short names first.
std::vector<std::string> names_in(const CLI::Option& option);

bool takes_value(const CLI::Option& option);
bool takes_several(const CLI::Option& option);

/// The name that help gives to the value of an option: FILE, N, SIZE, or words separated by bars.
std::string value_of(const CLI::Option& option);

/// The words that an option takes; empty if it also takes other values.
std::vector<std::string> choices_of(const CLI::Option& option);

/// The default of an option, and its environment variable, as they follow a description.
std::string values_of(const CLI::Option& option);

/// What the option does, and values_of() it.
std::string description_of(const CLI::Option& option);

/// The description without details and without a final full stop.
std::string brief_of(const CLI::Option& option);

/// "gsx count [OPTIONS] [QUERY...]".
std::string usage_of(const CLI::App& command, const std::string& name);

/// The footer of a command: paragraphs, then examples of one line each.
struct Notes {
  std::vector<std::string> paragraphs;
  std::vector<std::string> examples;
};
Notes notes_of(const CLI::App& command);

/// Whether an option or argument of the command takes a value called `value`, but for options of
/// the group `besides`.
bool has_value(const CLI::App& command, const std::string& value, const std::string& besides = "");

/// Whether the command has an option of this name, such as "--index".
bool has_option(const CLI::App& command, const std::string& name);

}  // namespace gsx::app
