// How options are registered, by what they take. An argument reaches its option as it was typed:
// CLI11 would split or rewrite what stands in brackets or braces.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gsx::app {

/// The option as messages call it, by its long name if it has one.
std::string name_of(const CLI::Option& option);

/// The same, but for an option whose value is that of its environment variable, the variable.
std::string giver_of(const CLI::Option& option);

/// `text` in a form that CLI11 leaves alone, and back. No argument holds the byte that marks it.
std::string shielded(std::string_view text);
std::string unshielded(std::string_view text);

/// Takes the text of an option; what it throws is told with the option's name.
using ParseText = std::function<void(const std::string&)>;

/// An option of one value. `type` is how help calls the value: FILE, N, SIZE, NAME.
CLI::Option* add_parsed(CLI::App& command, const std::string& name, const char* type,
                        const std::string& description, const ParseText& parse);

/// An option, or arguments without one, of any number of values, in their order.
CLI::Option* add_texts(CLI::App& command, const std::string& name, const char* type,
                       std::vector<std::string>& target, const std::string& description);

/// An option of one value, any text, whose value now is the default.
CLI::Option* add_text(CLI::App& command, const std::string& name, const char* type,
                      std::string& target, const std::string& description);

/// The same for the name of a file: not empty.
CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& description);

/// Another word for a choice: not taken, but the message names the choice.
struct Synonym {
  std::string_view word;
  std::string_view choice;
};

/// An option of one of a few words, the value now being the default.
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& description,
                        const std::vector<Synonym>& synonyms = {});

/// An option of some of a few words, separated by commas.
CLI::Option* add_choices(CLI::App& command, const std::string& name,
                         std::vector<std::string>& target, const std::vector<std::string>& choices,
                         const std::string& description);

/// The parts of `text` between commas, empty ones too.
std::vector<std::string> split_at_commas(const std::string& text);

}  // namespace gsx::app
