#include "pages/pages.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <vector>

#include "options/numbers.hpp"
#include "pages/page_parts.hpp"
#include "process/exit_codes.hpp"

namespace gsx::app {
namespace {

constexpr std::size_t line_width = 78;

/// Escapes `text` so that roff shows it unchanged.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

/// A line of text that roff cannot take for a macro.
std::string text_line(const std::string& line) {
  return (line.starts_with('.') ? "\\&" : "") + line + '\n';
}

/// Running text, wrapped in the source.
std::string filled(const std::string& text) {
  std::istringstream words(text);
  std::string out, line;
  for (std::string word; words >> word;) {
    const std::string shown = escaped(word);
    if (!line.empty() && line.size() + 1 + shown.size() > line_width) {
      out += text_line(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + shown;
  }
  return line.empty() ? out : out + text_line(line);
}

std::string paragraphs(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts)
    out += (out.empty() ? "" : ".PP\n") + filled(text);
  return out;
}

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : ".SH " + title + '\n' + content;
}

/// One entry of a list. `term` is roff, `text` is plain text.
std::string entry(const std::string& term, const std::string& text) {
  return ".TP\n" + term + '\n' + filled(text);
}

std::string upper(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string head(const std::string& page, std::string brief) {
  brief[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(brief[0])));
  if (brief.ends_with('.')) brief.pop_back();
  return "." + std::string("TH ") + escaped(upper(page)) +
         " 1 " GSX_MANUAL_DATE " \"gsx " GSX_VERSION "\" \"gsx manual\"\n" +
         ".nh\n" +  // names of options stay whole, to be copied and searched for
         section("NAME", escaped(page) + " \\- " + escaped(brief) + '\n');
}

std::string synopsis(const CLI::App& command, const std::string& name) {
  const std::string usage = usage_of(command, name);
  return section("SYNOPSIS", bold(name) + escaped(usage.substr(name.size())) + '\n');
}

std::string term_of(const CLI::Option& option) {
  std::string term;
  for (const std::string& name : names_in(option))
    term += (term.empty() ? "" : ", ") + bold(name);
  return takes_value(option) ? term + ' ' + italic(value_of(option)) : term;
}

std::string arguments(const CLI::App& command) {
  std::string entries;
  for (const CLI::Option* option : arguments_of(command))
    entries += entry(italic(option->get_name(true)), option->get_description());
  return section("ARGUMENTS", entries);
}

std::string options(const CLI::App& command) {
  std::string content;
  for (const std::string& group : groups_of(command)) {
    content += ".SS " + group + '\n';
    for (const CLI::Option* option : options_in(command, group))
      content += entry(term_of(*option), description_of(*option));
  }
  if (has_value(command, "SIZE")) {
    content +=
        ".SS Sizes\n" + italic("SIZE") + "\n" + filled(std::string("is ") + size_units + '.');
  }
  return section("OPTIONS", content);
}

/// Whether a run of the command can end with this exit code.
bool can_end_with(const CLI::App& command, int code) {
  const bool opens_index = has_option(command, "--index");
  if (code == 3) return opens_index || has_value(command, "FILE");
  if (code == 4 || code == 5) return opens_index;
  return code != 7 || has_option(command, "--device");
}

std::string exit_status(const CLI::App& command, bool all) {
  std::string entries;
  for (const ExitCode& code : exit_codes) {
    if (all || can_end_with(command, code.number))
      entries += entry(bold(std::to_string(code.number)), code.meaning);
  }
  return section("EXIT STATUS", entries);
}

struct Variable {
  const char* name;
  const char* meaning;
  std::vector<std::string> commands;  ///< none: all that log
};

/// The environment variables that do not belong to a registered option.
const std::vector<Variable>& other_variables() {
  static const std::vector<Variable> variables = {
      {"GSX_CPU",
       "The instructions that reading queries and searching on the CPU use: baseline, or avx2 "
       "(x86-64 with POPCNT, BMI and AVX2). The default, also for an empty value, is the best that "
       "the CPU has. Results are the same.",
       {"count", "locate", "mem", "ms", "filter", "offtarget", "amplicon", "bench", "doctor"}},
      {"GSX_INDEX",
       "The index, or a folder with one, where neither -x nor a first argument names one. An empty "
       "value counts as none.",
       {"count", "locate", "mem", "ms", "filter", "offtarget", "amplicon", "extract", "info",
        "report", "verify", "sa", "bwt", "lz77", "mappability", "repeats"}},
      {"GSX_LOG",
       "What is logged where neither -q nor -v is given: error, as -q does; warning; info, the "
       "default, also for an empty value; or debug, as -v does. Any other value is an error.",
       {}},
      {"REF_PATH, REF_CACHE",
       "Where the reference sequences of CRAM files are, as for samtools, but on this machine "
       "only: what follows a URL in REF_PATH is not looked at.",
       {"index", "count", "locate", "mem", "ms", "filter", "mappability", "repeats", "sa", "bwt",
        "lz77"}},
      {"TMPDIR",
       "The folder of temporary files: bench keeps its index and reads there, and --sort position "
       "and --bigwig keep there what memory does not hold. The default is /tmp.",
       {"locate", "offtarget", "amplicon", "repeats", "merge", "mappability", "bench"}},
  };
  return variables;
}

std::string environment(const CLI::App& command, bool all) {
  std::vector<std::pair<std::string, std::string>> entries;
  const auto add_option_variables = [&entries](const CLI::App& of) {
    for (const CLI::Option* option : options_of(of)) {
      const std::string name = option->get_envname();
      const auto is_same = [&name](const auto& known) { return known.first == name; };
      if (name.empty() || std::any_of(entries.begin(), entries.end(), is_same)) continue;
      entries.emplace_back(name, "The value of " + names_in(*option).back() +
                                     " where that is not given. An empty value is an error.");
    }
  };
  add_option_variables(command);
  if (all) {
    for (const CLI::App* one : commands_of(command))
      add_option_variables(*one);
  }
  for (const Variable& variable : other_variables()) {
    const auto& users = variable.commands;
    const bool used = users.empty() ? has_option(command, "--quiet")
                                    : std::ranges::count(users, command.get_name()) > 0;
    if (all || used) entries.emplace_back(variable.name, variable.meaning);
  }
  std::sort(entries.begin(), entries.end());
  std::string content;
  for (const auto& [name, meaning] : entries)
    content += entry(bold(name), meaning);
  return section("ENVIRONMENT", content);
}

std::string files(const CLI::App& command) {
  std::string content;
  if (has_option(command, "--index")) {
    content += entry(italic("*.gsx"),
                     "An index, made by gsx index: one file, which can be copied and renamed.");
  }
  if (has_option(command, "--output")) {
    content +=
        entry(italic(".NAME.gsx-*.tmp"),
              "The output NAME until it is complete, in the folder of NAME. A run that fails "
              "removes it, and the next run that writes NAME removes what a killed one left.");
  }
  return section("FILES", content);
}

std::string examples(const std::vector<std::string>& lines) {
  std::string content;
  for (const std::string& line : lines)
    content += text_line(escaped(line));
  return content.empty() ? "" : section("EXAMPLES", ".EX\n" + content + ".EE\n");
}

std::string page_of(const CLI::App& command) {
  return "gsx-" + command.get_name();
}

/// Refers to all other pages.
std::string see_also(const CLI::App& app, const std::string& page) {
  std::vector<std::string> others;
  if (page != "gsx") others.emplace_back("gsx");
  for (const CLI::App* command : commands_of(app))
    if (page_of(*command) != page) others.push_back(page_of(*command));
  std::string content;
  for (std::size_t i = 0; i < others.size(); ++i)
    content += ".BR " + escaped(others[i]) + (i + 1 < others.size() ? " (1),\n" : " (1)\n");
  return section("SEE ALSO", content);
}

std::string section_of_commands(const CLI::App& app) {
  std::string entries;
  for (const CLI::App* command : commands_of(app)) {
    entries += ".TP\n.BR " + escaped(page_of(*command)) + " (1)\n" +
               filled(command->get_description() + '.');
  }
  return section("COMMANDS", entries);
}

}  // namespace

std::string program_manual(const CLI::App& app) {
  const Notes notes = notes_of(app);
  return head("gsx", "index biological sequences and search them") + synopsis(app, "gsx") +
         section("DESCRIPTION",
                 paragraphs({app.get_description()}) + ".PP\n" + paragraphs(notes.paragraphs)) +
         section_of_commands(app) + options(app) + exit_status(app, true) + environment(app, true) +
         examples(notes.examples) + see_also(app, "gsx");
}

std::string command_manual(const CLI::App& app, const CLI::App& command) {
  const Notes notes = notes_of(command);
  const std::string page = page_of(command), name = "gsx " + command.get_name();
  std::vector<std::string> texts = notes.paragraphs;
  if (texts.empty()) texts.push_back(command.get_description() + '.');
  return head(page, command.get_description()) + synopsis(command, name) +
         section("DESCRIPTION", paragraphs(texts)) + arguments(command) + options(command) +
         exit_status(command, false) + environment(command, false) + files(command) +
         examples(notes.examples) + see_also(app, page);
}

}  // namespace gsx::app
