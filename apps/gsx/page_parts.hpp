// What the parser knows of a command, in the parts that help, manual pages and completions share.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gsx::app {

/// The commands of the program, in the order of help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// The arguments without an option's name, such as FILE.
std::vector<const CLI::Option*> arguments_of(const CLI::App& command);

/// The groups of options that `command` has, in the one order that all commands share.
std::vector<std::string> groups_of(const CLI::App& command);

/// The options of a group; those with a short name, the common ones, come first.
std::vector<const CLI::Option*> options_in(const CLI::App& command, const std::string& group);

/// All options, group by group.
std::vector<const CLI::Option*> options_of(const CLI::App& command);

/// "-n" and "--name", the short names first.
std::vector<std::string> names_in(const CLI::Option& option);

bool takes_value(const CLI::Option& option);
bool takes_several(const CLI::Option& option);

/// How help calls the value of an option: FILE, N, SIZE, a list of words with bars between them.
std::string value_of(const CLI::Option& option);

/// The words that an option takes; empty when it takes others, too.
std::vector<std::string> choices_of(const CLI::Option& option);

/// What the option does, its default and its environment variable.
std::string description_of(const CLI::Option& option);

/// The description up to where details begin, without a final stop.
std::string brief_of(const CLI::Option& option);

/// "gsx count [OPTIONS] [QUERY...]".
std::string usage_of(const CLI::App& command, const std::string& name);

/// What the footer of a command says: paragraphs, then examples, each a line.
struct Notes {
  std::vector<std::string> paragraphs;
  std::vector<std::string> examples;
};
Notes notes_of(const CLI::App& command);

/// Whether a value of some option or argument of the command is called `value`.
bool has_value(const CLI::App& command, const std::string& value);

/// Whether the command has an option of this name, such as "--index".
bool has_option(const CLI::App& command, const std::string& name);

}  // namespace gsx::app
