#include "pages/help.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

#include "options/numbers.hpp"
#include "pages/page_parts.hpp"
#include "process/exit_codes.hpp"

namespace gsx::app {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t description_column = 29;
constexpr std::ptrdiff_t most_lines = 90;

/// How much a page says: all, or less where that takes too many lines. Then the manual page has the
/// notes, and the descriptions of options end with their first sentence, or their first clause.
enum class Detail { all, sentences, clauses };

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

/// What a page says of a description. What stands in parentheses does not end a clause, nor does
/// the colon of "With --pairs: ...".
std::string beginning_of(const std::string& text, Detail detail) {
  if (detail == Detail::all) return text;
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth != 0 || text[i + 1] != ' ') continue;
    const bool clause = text[i] == ';' || (text[i] == ':' && !text.starts_with("With "));
    if (text[i] == '.' || (clause && detail == Detail::clauses)) return text.substr(0, i);
  }
  return text;
}

std::string group_of(const CLI::App& command, const std::string& group, Detail detail) {
  std::string entries = '\n' + group + ":\n";
  for (const CLI::Option* option : options_in(command, group)) {
    const std::string text = beginning_of(option->get_description(), detail);
    append_entry(entries, names_of(*option), text + values_of(*option));
  }
  return entries;
}

/// The line that stands for the tuning options of a command; "" if it has none.
std::string pointer_to_tuning(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : options_in(command, tuning_group))
    names += (names.empty() ? "" : ", ") + names_in(*option).back();
  return names.empty() ? "" : "\nTuning: " + names + "; gsx help tuning explains them\n";
}

std::string list_of_commands(const CLI::App& app) {
  std::string first, more;
  for (const CLI::App* command : commands_of(app)) {
    append_entry(command->get_group() == main_group ? first : more, command->get_name(),
                 command->get_description());
  }
  return first.empty() ? "" : "\nCommands:\n" + first + "\nMore commands:\n" + more;
}

std::string list_of_arguments(const CLI::App& command) {
  std::string entries;
  for (const CLI::Option* option : arguments_of(command))
    append_entry(entries, option->get_name(true), option->get_description());
  return entries.empty() ? "" : "\nArguments:\n" + entries;
}

std::string explained_size() {
  return '\n' + wrapped(std::string("SIZE is ") + size_units + '.');
}

/// The exit codes, for the page of the program itself.
std::string list_of_exit_codes(const CLI::App& app) {
  if (commands_of(app).empty()) return "";
  std::string lines = "\nExit codes:\n";
  for (const ExitCode& code : exit_codes)
    lines += "  " + std::to_string(code.number) + ' ' + code.meaning + '\n';
  return lines;
}

/// What stands below the options.
std::string notes_below(const CLI::App& app, Detail detail) {
  if (detail == Detail::all) return wrapped(app.get_footer()) + list_of_exit_codes(app);
  const std::string page = "gsx help --man " + app.get_name() + " | man -l -";
  std::string notes = wrapped("man gsx-" + app.get_name() + ", or " + page + ", says more.");
  notes += "\nExamples:\n";
  for (const std::string& example : notes_of(app).examples)
    notes += "  " + example + '\n';
  return notes;
}

std::string help_page(const CLI::App& app, const std::string& name, Detail detail) {
  std::string page = wrapped(app.get_description()) + "\nUsage: " + usage_of(app, name) + '\n';
  page += list_of_commands(app) + list_of_arguments(app);
  for (const std::string& group : groups_of(app))
    page += group == tuning_group ? pointer_to_tuning(app) : group_of(app, group, detail);
  if (has_value(app, "SIZE", tuning_group)) page += explained_size();
  return page + '\n' + notes_below(app, detail);
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode) const {
  std::string page;
  for (const Detail detail : {Detail::all, Detail::sentences, Detail::clauses}) {
    page = help_page(*app, name, detail);
    if (std::ranges::count(page, '\n') <= most_lines) break;
  }
  return page;
}

std::string tuning_page(const CLI::App& app) {
  struct Entry {
    std::string names, description, commands;
  };
  std::vector<Entry> entries;
  for (const CLI::App* command : commands_of(app)) {
    for (const CLI::Option* option : options_in(*command, tuning_group)) {
      const std::string names = names_of(*option), description = description_of(*option);
      auto same = std::ranges::find_if(entries, [&](const Entry& entry) {
        return entry.names == names && entry.description == description;
      });
      if (same == entries.end()) same = entries.insert(same, {names, description, ""});
      same->commands += (same->commands.empty() ? "" : ", ") + command->get_name();
    }
  }
  std::ranges::stable_sort(entries, {}, &Entry::names);
  std::string page = wrapped(
      "The options that few runs need. They change how long a run takes and how much memory, not "
      "what it finds.\n\nUsage: gsx COMMAND [OPTIONS] [ARGUMENTS]\n\nTuning:");
  for (const Entry& entry : entries)
    append_entry(page, entry.names, entry.description + "; for " + entry.commands);
  return page + explained_size();
}

}  // namespace gsx::app
