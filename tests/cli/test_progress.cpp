// Progress on a real terminal: tmux shows what a user would see.
#include "support/program.hpp"

using namespace gsx::testing;

namespace {

bool has_tmux() {
  return run_shell("command -v tmux").exit_code == 0;
}

/// What `script` leaves on a terminal of so many columns, wrapped lines joined.
std::string screen_after(const std::string& script, int columns, const std::string& folder,
                         const std::string& terminal = "screen") {
  const std::string tmux = "tmux -L gsx-test-$$ -f /dev/null";
  const TemporaryFolder scripts;
  const std::string file =
      scripts.write("run.sh", "export TERM=" + terminal + " gsx=" + gsx_program + "\n" + script +
                                  "\ntouch done\nsleep 60\n");
  const Outcome outcome =
      run_shell(tmux + " new-session -d -x " + std::to_string(columns) + " -y 50 'bash " + file +
                    "' || exit 9; for i in $(seq 600); do [ -e done ] && break; sleep 0.1; done; "
                    "sleep 0.3; " +
                    tmux + " capture-pane -p -J; " + tmux + " kill-server; rm -f done",
                {.folder = folder});
  return outcome.out;
}

std::string genome(std::size_t length) {
  std::string text = ">r\n";
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < length; ++i) {
    state = state * 1664525 + 1013904223;
    text += "ACGT"[state >> 30];
    if (i % 80 == 79) text += '\n';
  }
  return text + '\n';
}

}  // namespace

TEST_CASE("progress in JSON lines: each stage ends at 1, with its rate and unit") {
  const TemporaryFolder folder;
  folder.write("g.fa", genome(300'000));
  const RunOptions here = {.folder = folder.path()};
  REQUIRE(run({"index", "g.fa"}, here).exit_code == 0);
  REQUIRE(run({"bwt", "g.fa", "-o", "g.bwt"}, here).exit_code == 0);
  REQUIRE(run({"lz77", "g.fa", "-o", "g.lz77"}, here).exit_code == 0);
  for (const Arguments& command :
       {Arguments{"index", "g.fa"}, Arguments{"sa", "g.fa", "-o", "o"},
        Arguments{"bwt", "g.fa", "-o", "o"}, Arguments{"bwt", "--inverse", "g.bwt", "-o", "o"},
        Arguments{"lz77", "g.fa", "-o", "o.lz77"},
        Arguments{"lz77", "--inverse", "g.lz77", "-o", "o"},
        Arguments{"mappability", "g.fa", "-K", "12", "-o", "o"},
        Arguments{"mappability", "g.fa", "--shortest-unique", "-o", "o"},
        Arguments{"mappability", "g.fa", "--spectrum", "-o", "o"},
        Arguments{"repeats", "g.fa", "-L", "10", "-o", "o"},
        Arguments{"repeats", "g.fa", "-L", "10", "--pairs", "-o", "o"},
        Arguments{"count", "g.fa", "-o", "o"}, Arguments{"locate", "g.fa", "-o", "o"},
        Arguments{"extract", "g.gsx", "-o", "o"}, Arguments{"verify", "--full", "g.gsx"},
        Arguments{"bench", "--length", "1000", "--reads", "0", "--work", "build", "-o", "o"}}) {
    CAPTURE(command[0]);
    Arguments arguments = command;
    arguments.insert(arguments.end(), {"--progress", "json", "-q"});
    const Outcome outcome = run(arguments, here);
    CHECK(outcome.exit_code == 0);
    const auto lines = lines_of(outcome.err);
    REQUIRE(lines.size() >= 2);
    const auto stage_of = [](const std::string& line) { return line.substr(0, line.find(',')); };
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CAPTURE(lines[i]);
      CHECK(lines[i].starts_with("{\"stage\":\""));
      for (const char* field : {"\"fraction\":", "\"seconds\":", "\"rate\":", "\"unit\":"})
        CHECK(lines[i].find(field) != std::string::npos);
      const bool last = i + 1 == lines.size() || stage_of(lines[i + 1]) != stage_of(lines[i]);
      if (last) CHECK(lines[i].find("\"fraction\":1.0000") != std::string::npos);
    }
  }
}

TEST_CASE("progress shows no number before it is true") {
  const TemporaryFolder folder;
  folder.write("g.fa", genome(300'000));
  const RunOptions here = {.folder = folder.path()};
  const auto lines_about = [&](Arguments command, const std::string& stage) {
    command.insert(command.end(), {"-q", "-t", "1", "--progress", "json"});
    std::vector<std::string> found;
    for (const std::string& line : lines_of(run(command, here).err))
      if (line.starts_with("{\"stage\":\"" + stage + '"')) found.push_back(line);
    return found;
  };
  // Sorting begins before any part of it is done.
  const auto sorting = lines_about({"index", "g.fa"}, "sorting suffixes");
  REQUIRE(sorting.size() >= 2);
  CHECK(sorting.front().find("\"fraction\":0.0000") != std::string::npos);
  // One batch may hold all the work.
  for (const Arguments& queries : {Arguments{"count", "-p", "ACGT"}, Arguments{"count", "g.fa"}}) {
    const auto searching = lines_about(queries, "searching");
    REQUIRE(searching.size() >= 2);
    CHECK(searching.front().find("\"fraction\":null") != std::string::npos);
    CHECK(searching.back().find("\"fraction\":1.0000") != std::string::npos);
  }
}

TEST_CASE("on a terminal the bar leaves no trace, whatever its width") {
  GSX_NEED("TMUX", has_tmux(), "there is no tmux");
  for (const int columns : {120, 60, 24}) {
    CAPTURE(columns);
    const TemporaryFolder folder;
    folder.write("g.fa", genome(3'000'000));
    const std::string screen = screen_after(
        "\"$gsx\" index g.fa; \"$gsx\" verify --full g.gsx; \"$gsx\" extract g.gsx r:1-10", columns,
        folder.path());
    CAPTURE(screen);
    std::size_t logged = 0;
    for (const std::string& line : lines_of(screen)) {
      CAPTURE(line);
      CHECK(line.find('#') == std::string::npos);
      CHECK(line.find('%') == std::string::npos);
      logged += line.starts_with("info: gsx ");
    }
    CHECK(logged == 3);
  }
}

TEST_CASE("a terminal that cannot move its cursor gets no bar") {
  GSX_NEED("TMUX", has_tmux(), "there is no tmux");
  const TemporaryFolder folder;
  folder.write("g.fa", genome(300'000));
  for (const char* terminal : {"dumb", "''"}) {
    const std::string screen =
        screen_after("script -qc '\"$gsx\" index g.fa' typed", 100, folder.path(), terminal);
    CAPTURE(screen);
    CHECK(screen.find("info: gsx ") != std::string::npos);
    CHECK(folder.read("typed").find('\x1b') == std::string::npos);
  }
}
