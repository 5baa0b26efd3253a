// Registers options by the kind of value they take. Each option gets its argument as typed: CLI11
// alone would split or rewrite text in brackets or braces. Pages show the first short and the first
// long name of an option; the others are old spellings of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "options/command_line.hpp"

namespace gsx::app {

/// The name of the option in messages; the long name if it has one.
std::string name_of(const CLI::Option& option);

/// What gave the value, for messages: the option, or the environment variable that stands for it.
std::string giver_of(const CLI::Option& option);

/// `text` in a form that CLI11 leaves alone, and back. The byte that marks it occurs in no
/// argument.
std::string shielded(std::string_view text);
std::string unshielded(std::string_view text);

/// Takes the text of an option. Its UsageError gets the name of the option in front.
using ParseText = std::function<void(const std::string&)>;

/// Adds a command to the program.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description);

/// The options that are added to the command from here on belong to a group of its help, but for
/// those that are put into another.
void begin_group(CLI::App& command, const std::string& name);

/// Adds an option without a value.
CLI::Option* add_flag(CLI::App& command, const std::string& name, bool& target,
                      const std::string& description);

/// Adds an option of one value. Help calls the value `type`: FILE, N, SIZE, NAME; and `shown` its
/// default.
CLI::Option* add_parsed(CLI::App& command, const std::string& name, const char* type,
                        const std::string& description, const ParseText& parse,
                        const std::string& shown = "");

/// Adds an option, or positional arguments, of any number of values; keeps their order.
CLI::Option* add_texts(CLI::App& command, const std::string& name, const char* type,
                       std::vector<std::string>& target, const std::string& description);

/// Adds an option that takes any text; the value now is the default.
CLI::Option* add_text(CLI::App& command, const std::string& name, const char* type,
                      std::string& target, const std::string& description);

/// Adds an option that takes the name of a file, which must not be empty; the value now is the
/// default.
CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& description);

/// Adds an option that pages do not show, because its name once meant something else: it is
/// refused, and `instead` says what to give. Takes a value.
void add_retired(CLI::App& command, const std::string& name, const std::string& instead);

/// Another word for a choice. It is refused, but the message suggests the choice.
struct Synonym {
  std::string_view word;
  std::string_view choice;
};

/// Adds an option that takes one of a few words; the value now is the default.
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& description,
                        const std::vector<Synonym>& synonyms = {});

/// Adds an option that takes several of a few words, separated by commas.
CLI::Option* add_choices(CLI::App& command, const std::string& name,
                         std::vector<std::string>& target, const std::vector<std::string>& choices,
                         const std::string& description);

/// The parts of `text` between commas, including empty ones.
std::vector<std::string> split_at_commas(const std::string& text);

}  // namespace gsx::app
