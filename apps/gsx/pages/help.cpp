#include "pages/help.hpp"

#include <CLI/App.hpp>
#include <sstream>

#include "options/numbers.hpp"
#include "pages/page_parts.hpp"
#include "process/exit_codes.hpp"

namespace gsx::app {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t description_column = 29;

/// Appends `text` to `out`, wrapped at blanks. The last line of `out` has `column` columns; further
/// lines are indented by `indent`.
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

/// Wraps paragraphs. Leaves lines that begin with blanks, such as examples.
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

std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : names_in(option))
    names += (names.empty() ? "" : ", ") + name;
  return takes_value(option) ? names + ' ' + value_of(option) : names;
}

std::string group_of(const CLI::App& command, const std::string& group) {
  std::string entries = '\n' + group + ":\n";
  for (const CLI::Option* option : options_in(command, group))
    append_entry(entries, names_of(*option), description_of(*option));
  return entries;
}

std::string list_of_commands(const CLI::App& app) {
  std::string entries;
  for (const CLI::App* command : commands_of(app))
    append_entry(entries, command->get_name(), command->get_description());
  return entries.empty() ? "" : "\nCommands:\n" + entries;
}

std::string list_of_arguments(const CLI::App& command) {
  std::string entries;
  for (const CLI::Option* option : arguments_of(command))
    append_entry(entries, option->get_name(true), option->get_description());
  return entries.empty() ? "" : "\nArguments:\n" + entries;
}

/// The exit codes, for the page of the program itself.
std::string list_of_exit_codes(const CLI::App& app) {
  if (commands_of(app).empty()) return "";
  std::string lines = "\nExit codes:\n";
  for (const ExitCode& code : exit_codes)
    lines += "  " + std::to_string(code.number) + ' ' + code.meaning + '\n';
  return lines;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode) const {
  std::string page = wrapped(app->get_description()) + "\nUsage: " + usage_of(*app, name) + '\n';
  page += list_of_commands(*app) + list_of_arguments(*app);
  for (const std::string& group : groups_of(*app))
    page += group_of(*app, group);
  if (has_value(*app, "SIZE")) page += '\n' + wrapped(std::string("SIZE is ") + size_units + '.');
  return page + '\n' + wrapped(app->get_footer()) + list_of_exit_codes(*app);
}

}  // namespace gsx::app
