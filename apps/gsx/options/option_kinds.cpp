#include "options/option_kinds.hpp"

#include <CLI/App.hpp>
#include <algorithm>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "options/suggestion.hpp"

namespace gsx::app {
namespace {

constexpr char shield = '\0';

std::string list_of(const std::vector<std::string>& words, const char* between = ", ") {
  std::string list;
  for (const std::string& word : words)
    list += (list.empty() ? "" : between) + word;
  return list;
}

void require_choice(const std::string& text, const std::vector<std::string>& choices,
                    const std::vector<Synonym>& synonyms) {
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return;
  std::string hint = did_you_mean(text, choices);
  for (const Synonym& synonym : synonyms) {
    if (synonym.word == text) hint = "; did you mean " + std::string(synonym.choice) + "?";
  }
  throw UsageError("'" + shown_name(text) + "' is not one of " + list_of(choices) + hint);
}

}  // namespace

std::string name_of(const CLI::Option& option) {
  if (!option.get_lnames().empty()) return "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) return "-" + option.get_snames().front();
  return option.get_name(true);
}

std::string giver_of(const CLI::Option& option) {
  return option.get_envname().empty() ? name_of(option) : option.get_envname();
}

std::string shielded(std::string_view text) {
  const bool special = !text.empty() && std::string_view("[{%").find(text[0]) != text.npos;
  return special ? shield + std::string(text) : std::string(text);
}

std::string unshielded(std::string_view text) {
  if (text.starts_with(shield)) text.remove_prefix(1);
  return std::string(text);
}

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& description) {
  return app.add_subcommand(name, description);
}

void begin_group(CLI::App& command, const std::string& name) {
  command.option_defaults()->group(name);
}

CLI::Option* add_flag(CLI::App& command, const std::string& name, bool& target,
                      const std::string& description) {
  return command.add_flag(name, target, description);
}

CLI::Option* add_parsed(CLI::App& command, const std::string& name, const char* type,
                        const std::string& description, const ParseText& parse,
                        const std::string& shown) {
  const CLI::callback_t callback = [parse](const CLI::results_t& texts) {
    for (const std::string& text : texts)
      parse(unshielded(text));
    return true;
  };
  CLI::Option* const option = command.add_option(name, callback, description)->type_name(type);
  if (!shown.empty()) option->default_str(shown);
  return option;
}

CLI::Option* add_texts(CLI::App& command, const std::string& name, const char* type,
                       std::vector<std::string>& target, const std::string& description) {
  return add_parsed(command, name, type, description,
                    [&target](const std::string& text) { target.push_back(text); })
      ->expected(0, CLI::detail::expected_max_vector_size);
}

CLI::Option* add_text(CLI::App& command, const std::string& name, const char* type,
                      std::string& target, const std::string& description) {
  return add_parsed(command, name, type, description,
                    [&target](const std::string& text) { target = text; })
      ->default_str(target);
}

CLI::Option* add_path(CLI::App& command, const std::string& name, std::string& target,
                      const std::string& description) {
  return add_parsed(command, name, "FILE", description, [&target](const std::string& text) {
    if (text.empty()) throw UsageError("the name of a file cannot be empty");
    target = text;
  });
}

void add_retired(CLI::App& command, const std::string& name, const std::string& instead) {
  add_parsed(command, name, "", "", [instead](const std::string&) { throw UsageError(instead); })
      ->expected(0, CLI::detail::expected_max_vector_size)
      ->group("");
}

CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& target,
                        const std::vector<std::string>& choices, const std::string& description,
                        const std::vector<Synonym>& synonyms) {
  return add_parsed(command, name, list_of(choices, "|").c_str(), description,
                    [&target, choices, synonyms](const std::string& text) {
                      require_choice(text, choices, synonyms);
                      target = text;
                    })
      ->default_str(target);
}

CLI::Option* add_choices(CLI::App& command, const std::string& name,
                         std::vector<std::string>& target, const std::vector<std::string>& choices,
                         const std::string& description) {
  return add_parsed(command, name, (list_of(choices, "|") + ",...").c_str(), description,
                    [&target, choices](const std::string& text) {
                      const std::vector<std::string> words = split_at_commas(text);
                      for (const std::string& word : words)
                        require_choice(word, choices, {});
                      target = words;
                    })
      ->default_str(list_of(target));
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace gsx::app
