// Runs that end early: by a signal, or for lack of memory.
#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

bool has_temporary(const TemporaryFolder& folder) {
  const auto names = folder.names();
  return std::any_of(names.begin(), names.end(), is_temporary);
}

/// The least address space in which the program starts, in kilobytes: what the build links decides.
int least_address_space() {
  int kilobytes = 10'000;
  while (
      run_shell("ulimit -v " + std::to_string(kilobytes) + "; exec \"$gsx\" --version").exit_code !=
      0) {
    kilobytes += 500;
    REQUIRE(kilobytes < 500'000);
  }
  return kilobytes;
}

}  // namespace

TEST_CASE("a build stopped by a signal leaves neither its output nor a temporary file") {
  for (const int signal_number : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal_number);
    const TemporaryFolder folder;
    folder.write("kept.gsx", "precious");
    // A writer that keeps the FIFO open without end.
    Process writer(
        {"bash", "-c", "mkfifo p; exec 3<>p; printf '>r\\nACGTACGT\\n' >&3; exec sleep 100"},
        {.folder = folder.path()});
    REQUIRE(becomes_true([&] { return folder.has("p"); }));
    Process build(gsx_command({"index", "--force", "p", "-o", "kept.gsx"}),
                  {.folder = folder.path()});
    REQUIRE(becomes_true([&] { return has_temporary(folder); }));
    build.send(signal_number);
    const Outcome outcome = build.wait();
    CHECK(outcome.signal == signal_number);
    CHECK_FALSE(outcome.timed_out);
    CHECK(folder.names() == std::vector<std::string>{"kept.gsx", "p"});
    CHECK(folder.read("kept.gsx") == "precious");
  }
}

TEST_CASE("a killed build leaves no file with the final name") {
  const TemporaryFolder folder;
  Process writer(
      {"bash", "-c", "mkfifo p; exec 3<>p; printf '>r\\nACGTACGT\\n' >&3; exec sleep 100"},
      {.folder = folder.path()});
  REQUIRE(becomes_true([&] { return folder.has("p"); }));
  Process build(gsx_command({"index", "p", "-o", "out.gsx"}), {.folder = folder.path()});
  REQUIRE(becomes_true([&] { return has_temporary(folder); }));
  build.send(SIGKILL);
  CHECK(build.wait().signal == SIGKILL);
  CHECK_FALSE(folder.has("out.gsx"));
  // The leftovers do not disturb the next build.
  folder.write("g.fa", ">r\nACGTACGT\n");
  CHECK(run({"index", "g.fa", "-o", "out.gsx"}, {.folder = folder.path()}).exit_code == 0);
  CHECK(run({"verify", "--full", "out.gsx"}, {.folder = folder.path()}).exit_code == 0);
}

TEST_CASE("a build stopped at any moment leaves a complete index or none") {
  const TemporaryFolder folder;
  Random random(1);
  folder.write("g.fa", ">r\n" + random_string(random, 300'000, "ACGT") + '\n');
  REQUIRE(run({"index", "-q", folder / "g.fa", "-o", folder / "whole"}).exit_code == 0);
  const std::string whole = folder.read("whole");
  int stopped = 0;
  for (int delay = 0; delay < 60; delay += 2) {
    CAPTURE(delay);
    Process build(gsx_command({"index", "-q", "g.fa", "-o", "out.gsx"}), {.folder = folder.path()});
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    build.send(SIGTERM);
    const Outcome outcome = build.wait();
    CHECK((outcome.signal == SIGTERM || outcome.exit_code == 0));
    stopped += outcome.signal == SIGTERM;
    CHECK_FALSE(has_temporary(folder));
    if (folder.has("out.gsx")) CHECK((folder.read("out.gsx") == whole));
    if (outcome.exit_code == 0) CHECK(folder.has("out.gsx"));
    std::filesystem::remove(folder / "out.gsx");
  }
  CHECK(stopped > 0);
}

TEST_CASE("running out of memory is exit code 6, and leaves nothing") {
  GSX_SKIP_IF(sanitized, "sanitizers need all of the address space");
  const TemporaryFolder folder;
  Random random(2);
  folder.write("g.fa", ">r\n" + random_string(random, 12'000'000, "ACGT") + '\n');
  const int least = least_address_space();
  for (const std::string command :
       {"index", "sa", "bwt", "lz77", "mappability -K 20", "mappability --spectrum", "repeats"}) {
    CAPTURE(command);
    // Enough to start, but not enough to read 12 million symbols and sort their suffixes, even in
    // blocks.
    const Outcome outcome = run_shell("ulimit -v " + std::to_string(least + 3000) +
                                          "; exec \"$gsx\" " + command + " g.fa -o out -t 1",
                                      {.folder = folder.path()});
    check_failure(outcome, 6, {"memory"});
    CHECK(folder.names() == std::vector<std::string>{"g.fa"});
  }
}
