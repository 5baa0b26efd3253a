// Completion scripts: what the shells offer, asked as a shell asks.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

/// What bash offers after `words`, the last of which is being typed.
std::vector<std::string> offers(const Arguments& words, const RunOptions& options = {}) {
  Arguments command = {"bash",
                       "--norc",
                       "-c",
                       R"(source <("$0" completion bash)
         COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gsx
         if ((${#COMPREPLY[@]})); then printf '%s\n' "${COMPREPLY[@]}"; fi)",
                       gsx_program,
                       "gsx"};
  command.insert(command.end(), words.begin(), words.end());
  const Outcome outcome = Process(command, options).wait();
  CHECK(outcome.err == "");
  std::vector<std::string> lines = lines_of(output_of(outcome));
  std::sort(lines.begin(), lines.end());
  return lines;
}

using Words = std::vector<std::string>;

const Words commands = {"amplicon",  "bench",       "bwt",     "completion", "count", "doctor",
                        "extract",   "filter",      "help",    "index",      "info",  "locate",
                        "lz77",      "mappability", "mem",     "merge",      "ms",    "neighbors",
                        "offtarget", "prefix",      "repeats", "report",     "sa",    "verify"};

}  // namespace

TEST_CASE("bash completes commands") {
  Words all = commands;
  for (const char* more : {"version", "-h", "--help", "-V", "--version"})
    all.emplace_back(more);
  std::sort(all.begin(), all.end());
  CHECK(offers({""}) == all);
  CHECK(offers({"co"}) == Words{"completion", "count"});
  CHECK(offers({"ind"}) == Words{"index"});
  CHECK(offers({"frob"}) == Words{});
  CHECK(offers({"help", "lo"}) == Words{"locate"});
  CHECK(offers({"help", "tu"}) == Words{"tuning"});
  CHECK(offers({"completion", ""}) == Words{"bash", "fish", "zsh"});
  CHECK(offers({"frob", ""}) == Words{});
}

TEST_CASE("bash completes every option of every command, and no other") {
  for (const std::string& command : commands) {
    CAPTURE(command);
    Words shown;
    for (const std::string& line : lines_of(whole_help(command))) {
      if (!line.starts_with("  -")) continue;
      for (std::string names = line.substr(2); names.starts_with('-');) {
        shown.push_back(names.substr(0, names.find_first_of(", ")));
        names = names.substr(shown.back().size());
        if (names.starts_with(", ")) names = names.substr(2);
      }
    }
    std::sort(shown.begin(), shown.end());
    CHECK(offers({command, "-"}) == shown);
  }
  CHECK(offers({"locate", "--ma"}) == Words{"--max-hits"});
  CHECK(offers({"count", "--max-h"}) == Words{});
}

TEST_CASE("bash completes the values of options, after a blank and after =") {
  CHECK(offers({"count", "--strand", ""}) == Words{"both", "fwd", "rev"});
  CHECK(offers({"count", "--strand", "f"}) == Words{"fwd"});
  CHECK(offers({"count", "--strand", "="}) == Words{"both", "fwd", "rev"});
  CHECK(offers({"count", "--strand", "=", "r"}) == Words{"rev"});
  CHECK(offers({"locate", "-p", "A", "--format", "be"}) == Words{"bed", "bedgraph"});
  CHECK(offers({"index", "--device", "cu"}) == Words{"cuda"});
  CHECK(offers({"bench", "--work", "c"}) == Words{"ceilings", "count"});
  CHECK(offers({"locate", "--max-hits", ""}) == Words{});
  CHECK(offers({"count", "-p", "--"}) == Words{});
}

TEST_CASE("bash completes file names and, for arguments that take an index, indexes") {
  const TemporaryFolder folder;
  for (const char* name : {"g.gsx", "g.fa", "a b.fa", "-x.fa", "folder/h.gsx"}) {
    if (std::string(name).starts_with("folder/"))
      REQUIRE(mkdir((folder / "folder").c_str(), 0777) == 0);
    folder.write(name, "");
  }
  const RunOptions here = {.folder = folder.path()};
  CHECK(offers({"index", ""}, here) == Words{"-x.fa", "a b.fa", "folder", "g.fa", "g.gsx"});
  CHECK(offers({"index", "a"}, here) == Words{"a b.fa"});
  CHECK(offers({"index", "--", "-"}, here) == Words{"-x.fa"});
  CHECK(offers({"count", "g."}, here) == Words{"g.fa", "g.gsx"});
  CHECK(offers({"count", "-r", "g."}, here) == Words{"g.fa", "g.gsx"});
  CHECK(offers({"count", "-x", ""}, here) == Words{"folder", "g.gsx"});
  CHECK(offers({"count", "--index", "=", "g"}, here) == Words{"g.gsx"});
  CHECK(offers({"info", ""}, here) == Words{"folder", "g.gsx"});
  CHECK(offers({"extract", "folder/"}, here) == Words{"folder/h.gsx"});
  CHECK(offers({"locate", "-o", "g"}, here) == Words{"g.fa", "g.gsx"});
  CHECK(offers({"doctor", "g"}, here) == Words{});
}

TEST_CASE("shellcheck finds nothing in the bash script") {
  GSX_NEED("SHELLCHECK", has_command("shellcheck"), "there is no shellcheck");
  check_output(run_shell("\"$gsx\" completion bash | shellcheck -s bash -"), "");
}

TEST_CASE("the bash script works silently where unset variables are errors") {
  const Outcome outcome = run_shell(
      R"(set -eu; source <("$gsx" completion bash); COMP_WORDS=(gsx count --st); COMP_CWORD=2
         _gsx; echo "${COMPREPLY[@]}"; complete -p gsx)");
  CHECK(outcome.err == "");
  check_output(outcome, "--strand\ncomplete -F _gsx gsx\n");
}

TEST_CASE("zsh takes the completion script, sourced and as a function of fpath") {
  GSX_NEED("ZSH", has_command("zsh"), "there is no zsh");
  const std::string script = output_of(run({"completion", "zsh"}));
  CHECK(script.starts_with("#compdef gsx\n"));
  const TemporaryFolder folder;
  folder.write("_gsx", script);
  const Outcome syntax = run_shell("zsh -n " + (folder / "_gsx"));
  CHECK(syntax.err == "");
  CHECK(syntax.exit_code == 0);
  const std::string start = "zsh -f -c 'autoload -Uz compinit; ";
  const Outcome sourced =
      run_shell(start + "compinit -D -u; source <(\"$gsx\" completion zsh); echo $_comps[gsx]'");
  CHECK(sourced.err == "");
  check_output(sourced, "_gsx\n");
  const Outcome found =
      run_shell(start + "fpath=(" + folder.path() + " $fpath); compinit -D -u; echo $_comps[gsx]'");
  CHECK(found.err == "");
  check_output(found, "_gsx\n");
}

TEST_CASE("zsh completes what is typed on a terminal") {
  GSX_NEED("ZSH", has_command("zsh"), "there is no zsh");
  const TemporaryFolder folder;
  folder.write("genome.gsx", "");
  folder.write("genome.fa", "");
  // Types each line in a shell on a pseudo-terminal, completes it, and prints the result.
  folder.write("ask.zsh", R"(
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt beep; autoload -Uz compinit; compinit -D -u; source <("$gsx" completion zsh)'
zpty -w shell 'show() { print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }; zle -N show; bindkey "^X" show'
zpty -w shell 'print re""ady'
zpty -r -m shell line '*ready*'
for typed in "$@"; do
  zpty -w -n shell "$typed"$'\t\x18'
  zpty -r -m shell line '*<*>*'
  [[ $line =~ '<([^>]*)>' ]] && print -r -- "${match[1]% }"
done
zpty -d shell
)");
  const Outcome outcome = run_shell(
      "timeout 60 zsh -f ask.zsh 'gsx loc' 'gsx locate --max' 'gsx count --strand f' 'gsx info "
      "gen' "
      "'gsx index genome.f'",
      {.folder = folder.path()});
  check_output(outcome,
               "gsx locate\ngsx locate --max-hits\ngsx count --strand fwd\ngsx info genome.gsx\n"
               "gsx index genome.fa\n");
}

TEST_CASE("fish completes commands, options, values and files") {
  GSX_NEED("FISH", has_command("fish"), "there is no fish");
  const TemporaryFolder folder;
  folder.write("gsx.fish", output_of(run({"completion", "fish"})));
  folder.write("genome.gsx", "");
  folder.write("genome.fa", "");
  const auto offered = [&](const std::string& typed) {
    const Outcome outcome = run_shell(
        "HOME=$PWD fish --no-config -c 'source gsx.fish; complete -C \"" + typed + "\"' | cut -f 1",
        {.folder = folder.path()});
    CHECK(outcome.err == "");
    return output_of(outcome);
  };
  CHECK(run_shell("fish --no-execute gsx.fish", {.folder = folder.path()}).exit_code == 0);
  CHECK(offered("gsx loc") == "locate\n");
  CHECK(offered("gsx locate --max") == "--max-hits\n");
  CHECK(offered("gsx count --max-h") == "");
  CHECK(offered("gsx count --strand f") == "fwd\n");
  // fish offers other files after those with the suffix.
  CHECK(offered("gsx info gen") == "genome.gsx\ngenome.fa\n");
  CHECK(offered("gsx count -x gen") == "genome.gsx\ngenome.fa\n");
  CHECK(offered("gsx index genome.f") == "genome.fa\n");
  CHECK(offered("gsx doctor gen") == "");
}

TEST_CASE("a completion script for an unknown shell is refused") {
  check_failure(run({"completion"}), 2, {"SHELL is required"});
  check_failure(run({"completion", "tcsh"}), 2, {"'tcsh' is not one of bash, zsh, fish"});
  check_failure(run({"completion", "bahs"}), 2, {"did you mean bash?"});
  check_failure(run_shell("\"$gsx\" completion bash > /dev/full"), 6, {"No space left on device"});
}
