// What goes to standard output and what to standard error.
#include <set>

#include "support/json.hpp"
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

constexpr const char* genome = ">chr1\nACGTACGTNNACGTTTGGGA\n>chr2\nTTTACG\n";

struct Indexed {
  TemporaryFolder folder;
  Indexed() {
    folder.write("g.fa", genome);
    folder.write("q.fa", ">q\nACGT\n");
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  }
};

/// Every command on the files of Indexed, and whether it uses a device.
struct Command {
  Arguments arguments;
  bool has_device;
};
std::vector<Command> commands() {
  return {{{"index", "g.fa", "-o", "again.gsx"}, true},
          {{"count", "q.fa", "-x", "g.gsx"}, true},
          {{"locate", "q.fa", "-x", "g.gsx"}, true},
          {{"mem", "q.fa", "-x", "g.gsx", "-L", "4"}, true},
          {{"mem", "--pairs", "g.fa", "q.fa", "-L", "4"}, true},
          {{"ms", "q.fa", "-x", "g.gsx"}, true},
          {{"filter", "q.fa", "-x", "g.gsx", "--keep", "-L", "4"}, true},
          {{"sa", "g.fa"}, true},
          {{"bwt", "g.fa"}, true},
          {{"extract", "g.gsx"}, false},
          {{"info", "g.gsx"}, false},
          {{"verify", "g.gsx"}, false},
          {{"verify", "g.gsx", "--full"}, true}};
}

Outcome run_in(const TemporaryFolder& folder, Arguments arguments, const Arguments& more = {}) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments, {.folder = folder.path()});
}

}  // namespace

TEST_CASE("-q silences standard error on success and changes nothing else") {
  const Indexed index;
  for (const Command& command : commands()) {
    CAPTURE(command.arguments[0]);
    const Outcome loud = run_in(index.folder, command.arguments);
    const Outcome quiet = run_in(index.folder, command.arguments, {"-q"});
    CHECK(loud.exit_code == 0);
    CHECK(quiet.exit_code == 0);
    CHECK(loud.err != "");
    CHECK(quiet.err == "");
    CHECK(quiet.out == loud.out);
  }
}

TEST_CASE("-q keeps the error line and drops the rest") {
  const Indexed index;
  const Outcome outcome = run_in(index.folder, {"sa", "missing.fa", "-q"});
  check_failure(outcome, 3, {"missing.fa"});
  CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("GSX_LOG says what is logged where neither -q nor -v does") {
  const Indexed index;
  index.folder.write("m.fa", ">q\nACGT\n>n\nXX\n");  // XX is warned of
  const auto logged = [&](const std::string& level, const Arguments& more = {}) {
    Arguments arguments = {"count", "-x", "g.gsx", "m.fa"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome =
        run(arguments, {.folder = index.folder.path(), .environment = {"GSX_LOG=" + level}});
    CHECK(outcome.exit_code == 0);
    std::set<std::string> levels;
    for (const std::string& line : lines_of(outcome.err))
      levels.insert(line.substr(0, line.find(':')));
    return levels;
  };
  using Levels = std::set<std::string>;
  CHECK(logged("error") == Levels{});
  CHECK(logged("warning") == Levels{"warning"});
  CHECK(logged("info") == Levels{"warning", "info"});
  CHECK(logged("") == Levels{"warning", "info"});
  CHECK(logged("debug") == Levels{"warning", "info", "debug"});
  CHECK(logged("error", {"-v"}) == Levels{"warning", "info", "debug"});
  CHECK(logged("debug", {"-q"}) == Levels{});
}

TEST_CASE("GSX_LOG keeps error lines, and a word that is no level is refused") {
  const Indexed index;
  const auto with = [&](const char* level, const Arguments& arguments) {
    return run(arguments,
               {.folder = index.folder.path(), .environment = {std::string("GSX_LOG=") + level}});
  };
  const Outcome missing = with("error", {"sa", "missing.fa"});
  check_failure(missing, 3, {"missing.fa"});
  CHECK(lines_of(missing.err).size() == 1);
  check_failure(with("loud", {"count", "-x", "g.gsx", "-p", "A"}), 2,
                {"GSX_LOG is 'loud'; it may be error, warning, info or debug"});
  check_failure(with("Error", {"info", "g.gsx"}), 2, {"GSX_LOG is 'Error'"});
  CHECK(with("loud", {"--version"}).exit_code == 0);
}

TEST_CASE("a missing file, or a folder, is told before the file before it is searched") {
  const Indexed index;
  for (const std::string file : {"missing.fa", "."}) {
    for (const std::string command : {"count", "locate", "mem", "ms", "filter --drop --unpaired"}) {
      CAPTURE(command);
      CAPTURE(file);
      const Outcome outcome =
          run_shell("\"$gsx\" " + command + " -q -x g.gsx q.fa " + file + " -o out",
                    {.folder = index.folder.path()});
      check_failure(outcome, 3, {file + ": cannot read it"});
      CHECK_FALSE(index.folder.has("out"));
    }
  }
}

TEST_CASE("the closing line has version, command, device, times and memory") {
  const Indexed index;
  const std::string version = run({"--version"}).out;
  for (const Command& command : commands()) {
    CAPTURE(command.arguments[0]);
    Arguments more;
    if (command.has_device) more = {"--device", "cpu"};
    const Outcome outcome = run_in(index.folder, command.arguments, more);
    const std::string closing = lines_of(outcome.err).back();
    CAPTURE(closing);
    std::string line = "gsx";
    for (const std::string& argument : command.arguments)
      line += ' ' + argument;
    CHECK(closing.starts_with("info: " + version.substr(0, version.size() - 1) + " | " + line));
    CHECK(closing.find(command.has_device ? " | device cpu | " : " | device none | ") !=
          std::string::npos);
    for (const char* words :
         {" | wall ", " s | cpu ", " s | peak memory ", " MB host, ", " MB device"}) {
      CAPTURE(words);
      CHECK(closing.find(words) != std::string::npos);
    }
  }
}

TEST_CASE("standard error has only log lines: no data, and no progress in a pipe") {
  const Indexed index;
  for (const Command& command : commands()) {
    CAPTURE(command.arguments[0]);
    for (const Arguments& more : {Arguments{}, Arguments{"-v"}, Arguments{"--progress", "none"}}) {
      const Outcome outcome = run_in(index.folder, command.arguments, more);
      CHECK(outcome.exit_code == 0);
      for (const std::string& line : lines_of(outcome.err)) {
        CAPTURE(line);
        CHECK((line.starts_with("info: ") || line.starts_with("debug: ") ||
               line.starts_with("warning: ")));
      }
    }
  }
}

TEST_CASE("with -o, standard output stays empty, and the file gets its content") {
  const Indexed index;
  for (const Command& command : commands()) {
    const std::string& name = command.arguments[0];
    if (name == "index" || name == "verify") continue;
    CAPTURE(name);
    const Outcome plain = run_in(index.folder, command.arguments);
    const Outcome dash = run_in(index.folder, command.arguments, {"-o", "-"});
    const Outcome file = run_in(index.folder, command.arguments, {"-o", "out"});
    check_output(file, "");
    CHECK(dash.out == plain.out);
    CHECK(plain.out != "");
    CHECK(index.folder.read("out") == plain.out);
  }
}

TEST_CASE("--progress json is one JSON object per line, with stage, fraction and seconds") {
  const Indexed index;
  for (const Command& command : commands()) {
    CAPTURE(command.arguments[0]);
    const Outcome outcome = run_in(index.folder, command.arguments, {"--progress", "json", "-q"});
    CHECK(outcome.exit_code == 0);
    for (const std::string& line : lines_of(outcome.err)) {
      CAPTURE(line);
      CHECK(is_json(line));
      CHECK(line.starts_with("{\"stage\":\""));
      CHECK(line.find("\"fraction\":") != std::string::npos);
      CHECK(line.find("\"seconds\":") != std::string::npos);
    }
    if (command.arguments[0] == "index") CHECK(lines_of(outcome.err).size() >= 2);
    CHECK(outcome.out == run_in(index.folder, command.arguments).out);
  }
}

TEST_CASE("a progress bar is removed before the closing line") {
  const Indexed index;
  const Outcome outcome = run_in(index.folder, {"sa", "g.fa", "--progress", "bar"});
  CHECK(outcome.exit_code == 0);
  const std::size_t wiped = outcome.err.rfind("\r\x1b[K");
  REQUIRE(wiped != std::string::npos);
  CHECK(outcome.err.substr(wiped + 4).starts_with("info: gsx "));
}

TEST_CASE("ambiguous symbols and names that occur twice are reported") {
  const Outcome dna = run({"sa", "-", "--alphabet", "dna"}, {.input = ">r\nACGNNRY-\n>r\nacgt\n"});
  CHECK(dna.exit_code == 0);
  CHECK(dna.err.find("2 N, 2 IUPAC codes, 1 gaps, 0 others") != std::string::npos);
  CHECK(dna.err.find("warning: several records have the name 'r'") != std::string::npos);
}
