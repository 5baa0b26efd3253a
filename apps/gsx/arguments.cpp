#include "arguments.hpp"

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "commands.hpp"
#include "options/option_kinds.hpp"
#include "options/suggestion.hpp"

namespace gsx::app {
namespace {

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

bool takes_several(const CLI::Option& option) {
  return option.get_items_expected_max() > 1;
}

/// The option "--name" or "-n" of a command; null if it has none of that name.
CLI::Option* find_option(CLI::App& command, const std::string& name) {
  for (CLI::Option* option : command.get_options()) {
    for (const std::string& known : option->get_lnames())
      if ("--" + known == name) return option;
    for (const std::string& known : option->get_snames())
      if ("-" + known == name) return option;
  }
  return nullptr;
}

bool looks_like_option(const std::string& argument) {
  return argument.size() > 1 && argument[0] == '-';
}

std::vector<CLI::App*> commands_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

/// Reads the arguments of one command.
class CommandLine {
 public:
  CommandLine(CLI::App& app, CLI::App& command) : app_(app), command_(command) {}

  /// Returns false if help is asked for.
  bool read(std::vector<std::string>::const_iterator at,
            std::vector<std::string>::const_iterator end) {
    at_ = at;
    end_ = end;
    bool options_end = false;
    while (at_ != end_) {
      const std::string argument = *at_++;
      if (options_end || !looks_like_option(argument)) {
        others_.push_back(argument);
      } else if (argument == "--") {
        options_end = true;
      } else if (argument.starts_with("--") ? read_long(argument) : read_short(argument)) {
        return false;
      }
    }
    give_others();
    return true;
  }

  /// Takes options that were not given from the environment, and converts all values. Reports a
  /// surplus argument only after that: a wrong value may have caused it.
  void convert() {
    for (CLI::Option* option : command_.get_options()) {
      const std::string variable = option->get_envname();
      const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
      if (value == nullptr || option->count() != 0) {
        option->envname("");  // so that giver_of() names the option and not the variable
      } else {
        option->add_result(shielded(value));
      }
    }
    for (CLI::Option* option : command_.get_options()) {
      if (option->count() == 0 || option == command_.get_help_ptr()) continue;
      try {
        option->run_callback();
      } catch (const UsageError& error) {
        throw UsageError(giver_of(*option) + ": " + error.what());
      }
    }
    if (surplus_) throw UsageError("'" + shown_name(*surplus_) + "' is one argument too many");
  }

 private:
  /// Reads "--name", "--name VALUE" or "--name=VALUE". Returns true for help.
  bool read_long(const std::string& argument) {
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    CLI::Option& option = require_option(name);
    if (is_flag(option)) {
      if (equals != std::string::npos) throw UsageError(name + " takes no value");
      return set_flag(option);
    }
    give(option, equals != std::string::npos ? argument.substr(equals + 1) : next_value(name));
    return false;
  }

  /// Reads "-n", "-n VALUE", "-nVALUE", or several flags in one argument. Returns true for help.
  bool read_short(const std::string& argument) {
    for (std::size_t i = 1; i < argument.size(); ++i) {
      const std::string name = {'-', argument[i]};
      if (i == 1 && find_option(command_, name) == nullptr) throw_unknown(argument);
      CLI::Option& option = require_option(name);
      if (is_flag(option)) {
        if (set_flag(option)) return true;
        continue;
      }
      give(option, i + 1 < argument.size() ? argument.substr(i + 1) : next_value(name));
      break;
    }
    return false;
  }

  std::string next_value(const std::string& name) {
    if (at_ == end_) throw UsageError(full_name(name) + " needs a value");
    return *at_++;
  }

  bool set_flag(CLI::Option& option) {
    if (&option == command_.get_help_ptr()) return true;
    option.add_result("true");
    return false;
  }

  void give(CLI::Option& option, const std::string& value) {
    if (option.count() != 0 && !takes_several(option)) {
      throw UsageError(name_of(option) + " is given twice");
    }
    option.allow_extra_args(false);
    option.add_result(shielded(value));
  }

  /// Gives arguments that belong to no option to the positional ones of the command, in order.
  void give_others() {
    auto next = others_.begin();
    for (CLI::Option* option : command_.get_options()) {
      if (!option->get_positional()) continue;
      while (next != others_.end() && (takes_several(*option) || option->count() == 0))
        give(*option, *next++);
    }
    if (next != others_.end()) surplus_ = *next;
  }

  std::string full_name(const std::string& name) { return name_of(require_option(name)); }

  CLI::Option& require_option(const std::string& name) {
    CLI::Option* option = find_option(command_, name);
    if (option == nullptr) throw_unknown(name);
    return *option;
  }

  [[noreturn]] void throw_unknown(const std::string& name) {
    std::vector<std::string> known;
    for (CLI::Option* option : command_.get_options()) {
      if (!option->get_group().empty() && !option->get_lnames().empty())
        known.push_back("--" + option->get_lnames().front());
    }
    throw UsageError("gsx " + command_.get_name() + " has no option '" + shown_name(name) + "'" +
                     did_you_mean(name, known) + advice_on(name) + others_with(name));
  }

  /// What to give in place of an option that other commands or programs have; "" if nothing.
  std::string advice_on(const std::string& name) {
    constexpr std::string_view threads[] = {"-@", "-j", "-T", "--cpus", "--jobs"};
    if (std::ranges::find(threads, name) != std::end(threads)) return "; threads are -t N";
    constexpr std::string_view files[] = {"-f", "-i", "-p", "--patterns", "--pattern", "--input"};
    if (std::ranges::find(files, name) == std::end(files)) return "";
    for (CLI::Option* option : command_.get_options()) {
      if (option->get_positional() && takes_several(*option))
        return "; name files as arguments: gsx " + command_.get_name() + ' ' +
               option->get_name(true) + "...";
    }
    return "";
  }

  /// "; gsx a and b have one of that name": the commands with that option; "" if none has it.
  std::string others_with(const std::string& name) const {
    constexpr std::size_t most = 4;
    std::vector<std::string> found;
    for (CLI::App* other : commands_of(app_)) {
      const CLI::Option* const option = find_option(*other, name);
      if (option != nullptr && !option->get_group().empty()) found.push_back(other->get_name());
    }
    if (found.empty()) return {};
    if (found.size() == 1) return "; gsx " + found.front() + " has one of that name";
    const std::string last = found.size() > most ? "others" : found.back();
    found.resize(std::min(found.size() - 1, most - 1));
    std::string list = found.front();
    for (std::size_t i = 1; i < found.size(); ++i)
      list += ", " + found[i];
    return "; gsx " + list + " and " + last + " have one of that name";
  }

  CLI::App& app_;
  CLI::App& command_;
  std::vector<std::string>::const_iterator at_, end_;
  std::vector<std::string> others_;
  std::optional<std::string> surplus_;
};

/// The command of that name; null if there is none.
CLI::App* find_command(CLI::App& app, const std::string& name) {
  for (CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

[[noreturn]] void throw_unknown_command(CLI::App& app, const std::string& word) {
  std::vector<std::string> known = {"version", "--help", "--version"};
  for (CLI::App* command : commands_of(app)) {
    known.push_back(command->get_name());
    if (looks_like_option(word) &&
        find_option(*command, word.substr(0, word.find('='))) != nullptr) {
      throw UsageError("'" + shown_name(word) +
                       "' comes before the command, but options follow it: " + "gsx COMMAND " +
                       shown_name(word) + " ...");
    }
  }
  throw UsageError("'" + shown_name(word) + "' is neither a command nor an option of gsx" +
                   did_you_mean(word, known));
}

/// Otherwise CLI11 would also read the variables of other commands' options.
void forget_variables(CLI::App& app) {
  for (CLI::App* command : commands_of(app)) {
    for (CLI::Option* option : command->get_options())
      option->envname("");
  }
}

/// Returns the page of the program if the arguments ask for it.
std::optional<std::string> read_top(CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw UsageError("no command given");
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help") return app.help();
  if (first == "man") {
    throw UsageError("gsx has no command 'man'; try gsx help " +
                     (arguments.size() > 1 ? shown_name(arguments[1]) : "COMMAND"));
  }
  if (find_command(app, first) == nullptr) throw_unknown_command(app, first);
  return std::nullopt;
}

}  // namespace

void set_work(CLI::App& command, Run& run, const Run& work) {
  command.callback([&run, work] { run = work; });
}

bool asks_for_version(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return false;
  const std::string& first = arguments.front();
  return first == "-V" || first == "--version" || first == "version";
}

std::optional<std::string> read_arguments(CLI::App& app, const std::vector<std::string>& arguments,
                                          const Pages& pages) {
  std::string help = "gsx --help";
  try {
    if (auto text = read_top(app, arguments)) return text;
    CLI::App& command = *find_command(app, arguments.front());
    help = "gsx " + command.get_name() + " --help";
    CommandLine line(app, command);
    if (!line.read(arguments.begin() + 1, arguments.end())) return command.help("gsx");
    line.convert();
    if (const auto page = pages.find(command.get_name()); page != pages.end())
      return page->second();
    forget_variables(app);
    app.parse(std::vector<std::string>{command.get_name()});
  } catch (const UsageError& error) {
    throw UsageError(error.what() + (" (see " + help + ")"));
  } catch (const CLI::ParseError& error) {
    throw UsageError(printable(error.what()) + " (see " + help + ")");
  }
  return std::nullopt;
}

}  // namespace gsx::app
