#include "pages/pages.hpp"

#include <CLI/App.hpp>
#include <vector>

#include "pages/page_parts.hpp"

namespace gsx::app {
namespace {

/// What the shell offers for the value of an option, or for an argument.
enum class Offer { nothing, words, files, indexes, commands };

Offer offer_of(const CLI::Option& option) {
  const std::string value = value_of(option);
  if (!choices_of(option).empty()) return Offer::words;
  if (value == "INDEX") return Offer::indexes;
  if (value == "COMMAND") return Offer::commands;
  return value == "FILE" || value == "FASTA" ? Offer::files : Offer::nothing;
}

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string list;
  for (const std::string& word : words)
    list += (list.empty() ? "" : between) + word;
  return list;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app))
    names.push_back(command->get_name());
  return names;
}

/// The words that an option or argument offers, if it offers words.
std::string words_of(const CLI::App& app, const CLI::Option& option) {
  if (offer_of(option) != Offer::commands) return joined(choices_of(option));
  return joined(command_names(app)) + ' ' + tuning_topic;
}

std::string replaced(std::string text, char c, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(c, at)) != std::string::npos; at += by.size())
    text.replace(at, 1, by);
  return text;
}

// --- bash ----------------------------------------------------------------------------------

constexpr const char* bash_head = R"(# bash completion of gsx, made by "gsx completion bash"

_gsx_files() {  # names of files; with a suffix, those that end in it, and folders
  local name
  compopt -o filenames 2> /dev/null
  while IFS= read -r name; do
    if [[ $# == 0 || -d $name || $name == *"$1" ]]; then COMPREPLY+=("$name"); fi
  done < <(compgen -f -- "$current")
}

_gsx() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} options='' argument=none offer='' literal='' i
  COMPREPLY=()
  # --name=value is three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then previous='' literal=1; fi
  done
)";

constexpr const char* bash_tail =
    R"(  if [[ -z $offer && $current == -* && -z $literal ]]; then offer=$options; fi
  case ${offer:-$argument} in
    files) _gsx_files ;;
    indexes) _gsx_files .gsx ;;
    none) ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${offer:-$argument}" -- "$current") ;;
  esac
}

complete -F _gsx gsx
)";

std::string bash_offer(const CLI::App& app, const CLI::Option& option) {
  switch (offer_of(option)) {
    case Offer::files:
      return "files";
    case Offer::indexes:
      return "indexes";
    case Offer::nothing:
      return "none";
    default:
      return "'" + words_of(app, option) + "'";
  }
}

std::string bash_command(const CLI::App& app, const CLI::App& command) {
  std::vector<std::string> names;
  std::string values;
  for (const CLI::Option* option : options_of(command)) {
    const std::vector<std::string> own = names_in(*option);
    names.insert(names.end(), own.begin(), own.end());
    if (!takes_value(*option)) continue;
    values += "        " + joined(own, " | ") + ") offer=" + bash_offer(app, *option) + " ;;\n";
  }
  std::string out = "    " + command.get_name() + ")\n      options='" + joined(names) + "'\n";
  if (const auto arguments = arguments_of(command); !arguments.empty())
    out += "      argument=" + bash_offer(app, *arguments.front()) + '\n';
  if (!values.empty()) out += "      case $previous in\n" + values + "      esac\n";
  return out + "      ;;\n";
}

// --- zsh -----------------------------------------------------------------------------------

/// Escapes text inside single quotes. In a specification of _arguments, brackets and colons would
/// end it.
std::string zsh_text(std::string text) {
  for (const char c : {'[', ']', ':'})
    text = replaced(text, c, std::string("\\") + c);
  return replaced(text, '\'', "'\\''");
}

std::string zsh_action(const CLI::App& app, const CLI::Option& option) {
  switch (offer_of(option)) {
    case Offer::files:
      return "_files";
    case Offer::indexes:
      return "_files -g \"*.gsx\"";
    case Offer::nothing:
      return "";
    default:
      return "(" + words_of(app, option) + ")";
  }
}

std::string zsh_option(const CLI::App& app, const CLI::Option& option) {
  const std::vector<std::string> names = names_in(option);
  const bool is_repeated = takes_several(option);
  std::string out = "        ";
  if (is_repeated) {
    out += "'*'";
  } else if (names.size() > 1) {
    out += "'(" + joined(names) + ")'";
  }
  out += names.size() > 1 ? "{" + joined(names, ",") + "}" : names[0];
  out += "'[" + zsh_text(brief_of(option)) + "]";
  if (takes_value(option)) out += ":" + zsh_text(value_of(option)) + ":" + zsh_action(app, option);
  return out + "' \\\n";
}

std::string zsh_command(const CLI::App& app, const CLI::App& command) {
  std::string out = "    " + command.get_name() + ")\n      _arguments -s -S \\\n";
  for (const CLI::Option* option : options_of(command))
    out += zsh_option(app, *option);
  for (const CLI::Option* option : arguments_of(command)) {
    out += std::string("        '") + (takes_several(*option) ? "*" : "") + ':' +
           zsh_text(option->get_name(true)) + ':' + zsh_action(app, *option) + "' \\\n";
  }
  return out + "        && ret=0\n      ;;\n";
}

// --- fish ----------------------------------------------------------------------------------

std::string fish_text(const std::string& text) {
  return "'" + replaced(replaced(text, '\\', "\\\\"), '\'', "\\'") + "'";
}

std::string fish_offer(const CLI::App& app, const CLI::Option& option) {
  switch (offer_of(option)) {
    case Offer::files:
      return " -r -F";
    case Offer::indexes:
      return " -x -k -a '(__fish_complete_suffix .gsx)'";
    case Offer::nothing:
      return " -x";
    default:
      return " -x -a " + fish_text(words_of(app, option));
  }
}

std::string fish_option(const CLI::App& app, const std::string& start, const CLI::Option& option) {
  std::string out = start;
  for (const std::string& name : names_in(option))
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (takes_value(option)) out += fish_offer(app, option);
  return out + " -d " + fish_text(brief_of(option)) + '\n';
}

std::string fish_command(const CLI::App& app, const CLI::App& command) {
  const std::string start =
      "complete -c gsx -n '__fish_seen_subcommand_from " + command.get_name() + "'";
  std::string out;
  for (const CLI::Option* option : options_of(command))
    out += fish_option(app, start, *option);
  for (const CLI::Option* option : arguments_of(command)) {
    const Offer offer = offer_of(*option);
    if (offer == Offer::files) out += start + " -F\n";
    if (offer == Offer::indexes) out += start + " -f -k -a '(__fish_complete_suffix .gsx)'\n";
    if (offer == Offer::words || offer == Offer::commands)
      out += start + " -f -a " + fish_text(words_of(app, *option)) + '\n';
  }
  return out;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> options = {"version"};
  for (const CLI::Option* option : options_of(app)) {
    const std::vector<std::string> own = names_in(*option);
    options.insert(options.end(), own.begin(), own.end());
  }
  std::string out = bash_head;
  out += "  if ((COMP_CWORD == 1)); then command=''; fi\n  case $command in\n";
  out += "    '') offer='" + joined(command_names(app)) + ' ' + joined(options) + "' ;;\n";
  for (const CLI::App* command : commands_of(app))
    out += bash_command(app, *command);
  return out + "  esac\n" + bash_tail;
}

std::string zsh_completion(const CLI::App& app) {
  std::string out =
      "#compdef gsx\n# zsh completion of gsx, made by \"gsx completion zsh\"\n\n"
      "_gsx() {\n  local curcontext=$curcontext context state line ret=1\n"
      "  typeset -A opt_args\n  local -a commands=(\n";
  for (const CLI::App* command : commands_of(app))
    out += "    '" + command->get_name() + ':' + zsh_text(command->get_description()) + "'\n";
  out += "  )\n  _arguments -C \\\n";
  for (const CLI::Option* option : options_of(app))
    out += zsh_option(app, *option);
  out +=
      "        '1:command:->command' '*::argument:->argument' && ret=0\n"
      "  if [[ $state == command ]]; then\n"
      "    _describe -t commands 'gsx command' commands && ret=0\n"
      "    return ret\n  fi\n"
      "  [[ $state == argument ]] || return ret\n"
      "  curcontext=${curcontext%:*}-$words[1]:\n  case $words[1] in\n";
  for (const CLI::App* command : commands_of(app))
    out += zsh_command(app, *command);
  return out +
         "  esac\n  return ret\n}\n\n"
         "if [[ $funcstack[1] == _gsx ]]; then _gsx \"$@\"; else compdef _gsx gsx; fi\n";
}

std::string fish_completion(const CLI::App& app) {
  const std::string none = "not __fish_seen_subcommand_from " + joined(command_names(app));
  const std::string start = "complete -c gsx -n '" + none + "'";
  std::string out = "# fish completion of gsx, made by \"gsx completion fish\"\n\n";
  out += "complete -c gsx -f\n";
  for (const CLI::Option* option : options_of(app))
    out += fish_option(app, start, *option);
  for (const CLI::App* command : commands_of(app)) {
    out += start + " -a " + command->get_name() + " -d " + fish_text(command->get_description()) +
           '\n';
  }
  for (const CLI::App* command : commands_of(app))
    out += fish_command(app, *command);
  return out;
}

}  // namespace gsx::app
