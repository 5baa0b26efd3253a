// How gsx answers users who mistype, and users who ask for help.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

const std::vector<std::string> commands = {"index",   "sa",   "bwt",    "count", "locate",
                                           "extract", "info", "verify", "bench", "doctor"};

}  // namespace

TEST_CASE("a mistyped command, option or value is answered with the nearest one") {
  const std::vector<std::pair<Arguments, std::string>> mistyped = {
      {{"cuont"}, "did you mean count?"},
      {{"cuont", "-p", "A"}, "did you mean count?"},
      {{"Index"}, "did you mean index?"},
      {{"indx"}, "did you mean index?"},
      {{"loacte"}, "did you mean locate?"},
      {{"--hlep"}, "did you mean --help?"},
      {{"help", "cuont"}, "did you mean count?"},
      {{"locate", "--max_hits", "1"}, "did you mean --max-hits?"},
      {{"locate", "--maxhits", "1"}, "did you mean --max-hits?"},
      {{"count", "--inex", "g"}, "did you mean --index?"},
      {{"count", "--Index=g"}, "did you mean --index?"},
      {{"count", "--max-hits", "1"}, "gsx locate, mem, offtarget and others have one of that name"},
      {{"mem", "--circular", "x"}, "gsx count, locate, offtarget and amplicon have one"},
      {{"filter", "--max-hits", "3"}, "gsx filter has no option '--max-hits'"},
      {{"ms", "--min-length", "3"}, "gsx mem, filter and repeats have one of that name"},
      {{"ms", "--by-record"}, "gsx count and filter have one of that name"},
      {{"verify", "-o", "x"}, "and others have one of that name"},
      {{"count", "--strand", "plus"}, "did you mean fwd?"},
      {{"count", "--strand", "+"}, "did you mean fwd?"},
      {{"count", "--strand=-"}, "did you mean rev?"},
      {{"count", "--strand", "FWD"}, "did you mean fwd?"},
      {{"count", "--strand", "forward"}, "did you mean fwd?"},
      {{"index", "--alphabet", "protien", "x"}, "did you mean protein?"},
      {{"index", "--alphabet", "DNA", "x"}, "did you mean dna?"},
      {{"bench", "--work", "ceilings,biuld"}, "did you mean build?"},
      {{"count", "--progress", "jsno"}, "did you mean json?"},
  };
  for (const auto& [arguments, words] : mistyped)
    check_failure(run(arguments), 2, {words});
}

TEST_CASE("a word that resembles nothing gets no guess") {
  for (const Arguments& arguments :
       {Arguments{"x"}, Arguments{"frobnicate"}, Arguments{"count", "--frobnicate"},
        Arguments{"count", "--strand", "zzzzzz"}, Arguments{std::string(100000, 'i')}}) {
    const Outcome outcome = run(arguments);
    check_failure(outcome, 2);
    CHECK(outcome.err.find("did you mean") == std::string::npos);
  }
}

TEST_CASE("for options before the command, the message says that they must follow it") {
  check_failure(run({"-t", "1", "count"}), 2, {"'-t'", "options follow", "gsx COMMAND -t"});
  check_failure(run({"--threads=1", "count"}), 2, {"options follow"});
  check_failure(run({"-x", "g.gsx", "count"}), 2, {"options follow"});
}

TEST_CASE("help and version may be asked for in several ways") {
  const std::string help = output_of(run({"--help"}));
  CHECK(output_of(run({"help"})) == help);
  CHECK(output_of(run({"-h"})) == help);
  for (const std::string& command : commands) {
    CAPTURE(command);
    const std::string page = output_of(run({command, "--help"}));
    CHECK(output_of(run({"help", command})) == page);
    CHECK(output_of(run({command, "-h"})) == page);
  }
  const std::string version = output_of(run({"--version"}));
  CHECK(output_of(run({"-V"})) == version);
  CHECK(output_of(run({"version"})) == version);
  const Outcome alone = run({});
  check_failure(alone, 2, {"no command given", "gsx --help"});
  CHECK(alone.err.starts_with(help));
  CHECK(lines_of(alone.err).size() == lines_of(help).size() + 2);  // a blank one, and the error
  check_failure(run({"help", "index", "count"}), 2, {"one argument too many"});
}

TEST_CASE("a usage error ends with where to find help") {
  check_failure(run({"cuont"}), 2, {"(see gsx --help)"});
  for (const std::string& command : commands)
    check_failure(run({command, "--frobnicate"}), 2, {"(see gsx " + command + " --help)"});
}

TEST_CASE("help has at most 100 columns, is grouped, and speaks the user's language") {
  std::vector<Arguments> pages = {{"--help"}};
  for (const std::string& command : commands)
    pages.push_back({command, "--help"});
  for (const Arguments& page : pages) {
    const std::string text = output_of(run(page));
    CAPTURE(page[0]);
    std::string before;
    for (const std::string& line : lines_of(text)) {
      CAPTURE(line);
      CHECK(line.size() <= 100);
      CHECK_FALSE((line.empty() && before.empty()));
      CHECK((line.empty() || line.back() != ' '));
      before = line;
    }
    for (const char* word : {"UINT", "INT:", "TEXT", "REQUIRED", "Excludes", "Needs", "Env:", ":{",
                             " in [", "FLOAT", "...]...", "Positionals", "SUBCOMMAND", "[1 - "}) {
      CAPTURE(word);
      CHECK(text.find(word) == std::string::npos);
    }
    if (page[0] == "--help") continue;
    // Each group occurs at most once, and common ones come before rare ones.
    std::size_t last = 0;
    for (const char* group : {"\nArguments:\n", "\nInput:\n", "\nSearch:\n", "\nOutput:\n",
                              "\nResources:\n", "\nGeneral:\n", "\nTuning:\n"}) {
      const std::size_t at = text.find(group);
      if (at == std::string::npos) continue;
      CAPTURE(group);
      CHECK(at > last);
      CHECK(text.find(group, at + 1) == std::string::npos);
      last = at;
    }
    const bool sizes = text.find(" SIZE  ") != std::string::npos;
    CHECK((text.find("powers of 1024") != std::string::npos) == sizes);
  }
}
