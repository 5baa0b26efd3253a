// --help and --version: what they show, and where.
#include "support/command_options.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// The line of `help` that introduces an option or command, joined with its continuation lines;
/// empty if there is none.
std::string line_of_option(const std::string& help, std::string name) {
  if (const std::size_t comma = name.find(','); comma != std::string::npos)
    name.insert(comma + 1, 1, ' ');
  std::string found;
  for (const std::string& line : lines_of(help)) {
    if (!found.empty() && !line.starts_with("     ")) return found;
    if (!found.empty()) found += line.substr(line.find_first_not_of(' ') - 1);
    if ((line + ' ').starts_with("  " + name + ' ')) found = line;
  }
  return found;
}

/// Counts words like "--paf" that begin the line of an option.
std::size_t options_shown(const std::string& help) {
  std::size_t shown = 0;
  for (const std::string& line : lines_of(help)) {
    shown += line.starts_with("  -") && line.size() > 3 && line[3] != ' ';
  }
  return shown;
}

}  // namespace

TEST_CASE("gsx --help lists every command and the exit codes, on standard output") {
  const Outcome outcome = run({"--help"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    CHECK(line_of_option(outcome.out, command.name) != "");
  }
  const std::vector<std::string> names = names_of_commands(outcome.out);
  const std::string more = outcome.out.substr(outcome.out.find("More commands:"));
  REQUIRE(names.size() == 24);
  CHECK(std::vector(names.begin(), names.begin() + 10) ==
        std::vector<std::string>{"index", "count", "locate", "mem", "filter", "offtarget",
                                 "amplicon", "extract", "mappability", "neighbors"});
  CHECK(line_of_option(more, names[9]) == "");
  CHECK(line_of_option(more, names[10]) != "");
  for (const char* words : {"0 success", "1 failure", "2 usage", "3 bad input", "4 index missing",
                            "5 index corrupt", "6 out of memory or disk", "7 GPU"}) {
    CAPTURE(words);
    CHECK(outcome.out.find(words) != std::string::npos);
  }
  CHECK(run({"-h"}).out == outcome.out);
}

TEST_CASE("gsx --version is one line of program and version") {
  const Outcome outcome = run({"--version"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  REQUIRE(lines_of(outcome.out).size() == 1);
  CHECK(outcome.out.starts_with("gsx "));
  const std::string version = outcome.out.substr(4, outcome.out.size() - 5);
  CHECK(std::count(version.begin(), version.end(), '.') == 2);
  CHECK(version.find_first_not_of("0123456789.") == std::string::npos);
}

TEST_CASE("help shows every option of every command with its default, on standard output") {
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    const Outcome outcome = run({command.name, "--help"});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out.find("Usage: gsx " + command.name) != std::string::npos);
    CHECK(outcome.out.find("Example") != std::string::npos);
    CHECK(lines_of(outcome.out).size() <= 90);
    const std::string help = whole_help(command.name);
    std::size_t listed = 0;
    for (const Option& option : command.options) {
      CAPTURE(option.name);
      const std::string line = line_of_option(help, option.name);
      CHECK(line != "");
      if (!option.default_value.empty()) {
        CHECK(line.find("(default: " + option.default_value + ")") != std::string::npos);
      }
      listed += option.name[0] == '-';
    }
    CHECK(options_shown(help) == listed);  // so that a new option gets its line above
  }
}

TEST_CASE("the options that few runs need have one page, which the help of a command names") {
  const std::string page = output_of(run({"help", "tuning"}));
  CHECK(page.find("Usage: gsx COMMAND") != std::string::npos);
  CHECK(page.find("SIZE is") != std::string::npos);
  for (const std::string& line : lines_of(page))
    CHECK(line.size() <= 100);
  CHECK(
      line_of_option(page, "--wide").ends_with("; for index, mappability, repeats, sa, bwt, lz77"));
  for (const Command& command : commands()) {
    CAPTURE(command.name);
    std::string expected;
    for (const char* option : {"--batch", "--wide", "--gpu-memory"})
      if (command.has(option))
        expected += (expected.empty() ? "Tuning: " : ", ") + std::string(option);
    if (!expected.empty()) expected += "; gsx help tuning explains them";
    std::string pointer;
    for (const std::string& line : lines_of(output_of(run({command.name, "--help"})))) {
      if (line.find("uning") != line.npos && command.name != "help") pointer += line;
      CHECK(line_of_option(line, "--gpu-memory") == "");
    }
    CHECK(pointer == expected);
  }
  check_failure(run({"help", "tunign"}), 2, {"'tunign'", "did you mean tuning?"});
  check_failure(run({"tuning"}), 2, {"'tuning' is neither a command nor an option"});
}

TEST_CASE("the help of -t says what it does in this command, and only there that of a GPU") {
  for (const Command& command : commands()) {
    if (!command.has("-t,--threads")) continue;
    const std::string line = line_of_option(run({command.name, "--help"}).out, "-t,--threads");
    CAPTURE(command.name);
    CAPTURE(line);
    CHECK(line.find("Use N threads") != std::string::npos);
    CHECK(line.find("in total") == std::string::npos);
    const bool twice = command.name == "mem" || command.name == "ms" || command.name == "filter" ||
                       command.name == "count" || command.name == "locate";
    CHECK((line.find("GPU 2 N, because") != std::string::npos) == twice);
    CHECK((line.find("with -k or --iupac") != std::string::npos) ==
          (command.name == "count" || command.name == "locate"));
  }
}

TEST_CASE("help works without required arguments") {
  CHECK(run({"index", "--sa-rate", "4", "--help"}).exit_code == 0);
  CHECK(run({"count", "-h"}).out == run({"count", "--help"}).out);
}

TEST_CASE("help and version fail if they cannot be written") {
  for (const std::string arguments : {"--help", "--version", "index --help"}) {
    CAPTURE(arguments);
    check_failure(run_shell("\"$gsx\" " + arguments + " > /dev/full"), 6,
                  {"standard output", "No space left on device"});
  }
}
