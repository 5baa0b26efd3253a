#include "pages/pages.hpp"

#include <CLI/App.hpp>
#include <memory>

#include "base/error.hpp"
#include "base/messages.hpp"
#include "options/option_kinds.hpp"
#include "options/suggestion.hpp"
#include "pages/help.hpp"
#include "pages/page_parts.hpp"

namespace gsx::app {
namespace {

struct HelpOptions {
  std::string command;
  bool manual = false;
};

std::string help_page(const CLI::App& app, const HelpOptions& options) {
  const std::string& name = options.command;
  if (name.empty() || name == "version") return options.manual ? program_manual(app) : app.help();
  if (name == tuning_topic) {
    if (options.manual)
      throw UsageError(
          "gsx help tuning has no manual page; those of the commands have its options");
    return tuning_page(app);
  }
  std::vector<std::string> known = {tuning_topic};
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name)
      return options.manual ? command_manual(app, *command) : command->help("gsx");
    known.push_back(command->get_name());
  }
  throw UsageError("'" + shown_name(name) + "' is not a command of gsx" +
                   did_you_mean(name, known));
}

std::string completion_page(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_completion(app);
  return shell == "zsh" ? zsh_completion(app) : fish_completion(app);
}

}  // namespace

void add_help_command(CLI::App& app, Pages& pages) {
  const auto options = std::make_shared<HelpOptions>();
  CLI::App* command = add_command(app, "help", "Show the help of gsx, of a command, or of tuning");
  command->footer(
      "gsx help COMMAND shows the page of gsx COMMAND --help, and gsx help tuning the options of "
      "all commands that few runs need. With --man it writes the manual page, as roff for man(1); "
      "every build makes these pages, and installs them in share/man/man1.\n\n"
      "Examples:\n"
      "  gsx help locate\n"
      "  gsx help tuning\n"
      "  gsx help --man locate | man -l -");
  add_text(*command, "COMMAND", "COMMAND", options->command,
           "The command, or tuning (default: gsx itself)");
  add_flag(*command, "--man", options->manual, "Write the manual page, as roff")->group("Output");
  command->set_help_flag("-h,--help", "Show this page")->group("General");
  pages["help"] = [options, &app] { return help_page(app, *options); };
}

void add_completion_command(CLI::App& app, Pages& pages) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command =
      add_command(app, "completion", "Write the completion script for bash, zsh or fish");
  command->footer(
      "The shell then completes commands, options, their values and the names of files. An "
      "installed gsx has the scripts where bash-completion, zsh and fish look for them; the "
      "examples are for one that is not installed.\n\n"
      "Examples:\n"
      "  source <(gsx completion bash)                                 in ~/.bashrc\n"
      "  gsx completion zsh > ~/.zsh/completions/_gsx                  a folder of $fpath\n"
      "  gsx completion fish > ~/.config/fish/completions/gsx.fish");
  add_choice(*command, "SHELL", *shell, {"bash", "zsh", "fish"}, "bash, zsh or fish")->required();
  command->set_help_flag("-h,--help", "Show this page")->group("General");
  pages["completion"] = [shell, &app] {
    if (shell->empty()) throw UsageError("SHELL is required: bash, zsh or fish");
    return completion_page(app, *shell);
  };
}

}  // namespace gsx::app
