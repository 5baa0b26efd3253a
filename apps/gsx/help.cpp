#include "help.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "numbers.hpp"

namespace gsx::app {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t description_column = 29;

/// The groups of options as help shows them; those of other names come between.
const std::vector<std::string> first_groups = {"Input", "Search", "Output", "Options"};
const std::vector<std::string> last_groups = {"Resources", "General", "Tuning"};

/// Appends `text`, broken at blanks, to `out`, whose last line has `column` columns; the lines that
/// follow are indented by `indent`.
void append_wrapped(std::string& out, const std::string& text, std::size_t column,
                    std::size_t indent) {
  std::istringstream words(text);
  std::string word;
  bool first = true;
  while (words >> word) {
    if (!first && column + 1 + word.size() > page_width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
      first = true;
    }
    if (!first) out += ' ';
    out += word;
    column += word.size() + (first ? 0 : 1);
    first = false;
  }
  out += '\n';
}

/// Paragraphs; lines that begin with blanks, as examples do, stay as they are.
std::string wrapped(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(' ')) {
      out += line + '\n';
    } else {
      append_wrapped(out, line, 0, 0);
    }
  }
  return out;
}

void append_entry(std::string& out, const std::string& name, const std::string& description) {
  std::string left = "  " + name;
  if (left.size() + 2 > description_column) {
    out += left + '\n';
    left.clear();
  }
  left.resize(description_column, ' ');
  out += left;
  append_wrapped(out, description, description_column, description_column);
}

/// What CLI11 calls the type, without the checks that it appends.
std::string type_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  type = type.substr(0, type.find_first_of(":, "));
  if (option.get_type_name().starts_with("N,") || option.get_type_name().starts_with("NAME,")) {
    return option.get_type_name();
  }
  if (type == "INT" || type == "UINT" || type == "FLOAT") return "N";
  return type == "TEXT" ? "NAME" : type;
}

std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames())
    names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    names += (names.empty() ? "--" : ", --") + name;
  if (option.get_items_expected_max() != 0) names += ' ' + type_of(option);
  return names;
}

std::string description_of(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!option.get_default_str().empty() && option.get_items_expected_max() != 0) {
    text += " (default: " + option.get_default_str() + ")";
  }
  if (!option.get_envname().empty()) text += "; also by $" + option.get_envname();
  return text;
}

std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string usage = "Usage: " + name;
  if (!app.get_subcommands([](const CLI::App*) { return true; }).empty()) {
    return usage + " COMMAND [OPTIONS] [ARGUMENTS]\n";
  }
  usage += " [OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string shown =
        option->get_name(true) + (option->get_items_expected_max() > 1 ? "..." : "");
    usage += ' ' + (option->get_required() ? shown : '[' + shown + ']');
  }
  return usage + '\n';
}

std::vector<std::string> groups_of(const CLI::App& app) {
  std::vector<std::string> groups = first_groups;
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    const auto is_in = [&group](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), group) != list.end();
    };
    if (!group.empty() && !is_in(groups) && !is_in(last_groups)) groups.push_back(group);
  }
  groups.insert(groups.end(), last_groups.begin(), last_groups.end());
  return groups;
}

/// The options of one group; those with a short name, the common ones, come first.
std::string group_of(const CLI::App& app, const std::string& group) {
  std::vector<const CLI::Option*> options = app.get_options([&](const CLI::Option* option) {
    return option->get_group() == group && option->nonpositional();
  });
  std::stable_partition(options.begin(), options.end(),
                        [](const CLI::Option* option) { return !option->get_snames().empty(); });
  std::string entries;
  for (const CLI::Option* option : options)
    append_entry(entries, names_of(*option), description_of(*option));
  return entries.empty() ? "" : '\n' + group + ":\n" + entries;
}

std::string commands_of(const CLI::App& app) {
  std::string entries;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    append_entry(entries, command->get_name(), command->get_description());
  return entries.empty() ? "" : "\nCommands:\n" + entries;
}

bool takes_sizes(const CLI::App& app) {
  return !app.get_options([](const CLI::Option* option) { return type_of(*option) == "SIZE"; })
              .empty();
}

std::string arguments_of(const CLI::App& app) {
  std::string entries;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional())
      append_entry(entries, option->get_name(true), option->get_description());
  }
  return entries.empty() ? "" : "\nArguments:\n" + entries;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode) const {
  std::string page = wrapped(app->get_description()) + '\n' + usage_of(*app, name);
  page += commands_of(*app) + arguments_of(*app);
  for (const std::string& group : groups_of(*app))
    page += group_of(*app, group);
  if (takes_sizes(*app)) page += '\n' + wrapped(std::string("SIZE is ") + size_units + '.');
  return page + '\n' + wrapped(app->get_footer());
}

}  // namespace gsx::app
