#include "pages/page_parts.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <sstream>

namespace gsx::app {
namespace {

/// The order of the groups of options; groups with other names come between.
const std::vector<std::string> first_groups = {"Input", "Search", "Output"};
const std::vector<std::string> last_groups = {"Resources", "General", tuning_group};

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string> groups_of(const CLI::App& command) {
  std::vector<std::string> present, groups;
  for (const CLI::Option* option : command.get_options()) {
    const bool hidden = option->get_group().empty();
    if (option->nonpositional() && !hidden && !contains(present, option->get_group()))
      present.push_back(option->get_group());
  }
  for (const std::string& group : first_groups)
    if (contains(present, group)) groups.push_back(group);
  for (const std::string& group : present)
    if (!contains(first_groups, group) && !contains(last_groups, group)) groups.push_back(group);
  for (const std::string& group : last_groups)
    if (contains(present, group)) groups.push_back(group);
  return groups;
}

std::vector<const CLI::Option*> options_in(const CLI::App& command, const std::string& group) {
  std::vector<const CLI::Option*> options = command.get_options([&](const CLI::Option* option) {
    return option->get_group() == group && option->nonpositional();
  });
  std::stable_partition(options.begin(), options.end(),
                        [](const CLI::Option* option) { return !option->get_snames().empty(); });
  return options;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> all;
  for (const std::string& group : groups_of(command)) {
    const auto options = options_in(command, group);
    all.insert(all.end(), options.begin(), options.end());
  }
  return all;
}

std::vector<std::string> names_in(const CLI::Option& option) {
  std::vector<std::string> names;
  if (!option.get_snames().empty()) names.push_back('-' + option.get_snames().front());
  if (!option.get_lnames().empty()) names.push_back("--" + option.get_lnames().front());
  return names;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() != 0;
}

bool takes_several(const CLI::Option& option) {
  return option.get_items_expected_max() > 1;
}

std::string value_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const bool is_list = type.find('|') != std::string::npos && type.ends_with(",...");
  return is_list ? "NAME,..." : type;
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  if (type.ends_with(",...")) type.resize(type.size() - 4);
  std::istringstream parts(type);
  for (std::string word; std::getline(parts, word, '|');)
    words.push_back(word.substr(0, word.find('[')));
  return words;
}

std::string values_of(const CLI::Option& option) {
  std::string text;
  if (!option.get_default_str().empty() && takes_value(option)) {
    text += " (default: " + option.get_default_str() + ")";
  }
  if (!option.get_envname().empty()) text += "; $" + option.get_envname() + " sets it too";
  return text;
}

std::string description_of(const CLI::Option& option) {
  return option.get_description() + values_of(option);
}

std::string brief_of(const CLI::Option& option) {
  std::string text = option.get_description();
  for (const char* end : {" (", ". ", "; ", ": "})
    text = text.substr(0, text.find(end));
  return text;
}

std::string usage_of(const CLI::App& command, const std::string& name) {
  if (!commands_of(command).empty()) return name + " COMMAND [OPTIONS] [ARGUMENTS]";
  std::string usage = name + " [OPTIONS]";
  for (const CLI::Option* option : arguments_of(command)) {
    const std::string shown = option->get_name(true) + (takes_several(*option) ? "..." : "");
    usage += ' ' + (option->get_required() ? shown : '[' + shown + ']');
  }
  return usage;
}

Notes notes_of(const CLI::App& command) {
  Notes notes;
  std::istringstream lines(command.get_footer());
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      notes.examples.push_back(line.substr(2));
    } else if (!line.empty() && line != "Examples:") {
      notes.paragraphs.push_back(line);
    }
  }
  return notes;
}

bool has_value(const CLI::App& command, const std::string& value, const std::string& besides) {
  const auto options = command.get_options();
  return std::any_of(options.begin(), options.end(), [&](const CLI::Option* option) {
    return takes_value(*option) && value_of(*option) == value && option->get_group() != besides;
  });
}

bool has_option(const CLI::App& command, const std::string& name) {
  return command.get_option_no_throw(name) != nullptr;
}

}  // namespace gsx::app
