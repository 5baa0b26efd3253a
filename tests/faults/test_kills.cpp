// Runs ended by signals at random moments: a file gets its final name only when it is complete, and
// the next run removes what a killed run has left.
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "support/program.hpp"
#include "support/texts.hpp"

using namespace gsx::testing;

namespace {

constexpr std::uint64_t seed = 20261121;

/// Files that keep every command busy for at least some milliseconds.
struct Place {
  TemporaryFolder folder;
  Place() {
    Random random(seed);
    const std::string bases = random_string(random, 300'000, "ACGT");
    folder.write("g.fa", ">r first\n" + bases + "\n>s\n" + bases.substr(70'000, 100'000) + '\n');
    std::string queries;
    for (int q = 0; q < 3000; ++q) {
      queries += ">q" + std::to_string(q) + '\n' + bases.substr(below(random, 290'000), 30) + '\n';
    }
    folder.write("q.fa", queries);
    std::string counts = "query_id\tlength\tcount\tcount_fwd\tcount_rev\n";
    for (int q = 0; q < 100'000; ++q)
      counts += "q" + std::to_string(q) + "\t30\t1\t1\t0\n";
    folder.write("p.tsv", counts);
    CHECK(run({"index", "-q", folder / "g.fa"}).exit_code == 0);
  }
  Process start(const Arguments& arguments) const {
    return Process(gsx_command(arguments), {.folder = folder.path()});
  }
  bool has_temporary() const {
    const auto names = folder.names();
    return std::any_of(names.begin(), names.end(), is_temporary);
  }
};

const std::vector<Arguments> writers = {{"index", "-q", "--force", "g.fa", "-t", "2"},
                                        {"index", "-q", "--force", "g.fa", "--sa-rate", "1"},
                                        {"sa", "-q", "g.fa"},
                                        {"bwt", "-q", "g.fa"},
                                        {"lz77", "-q", "g.fa"},
                                        {"mappability", "-q", "-K", "12", "g.fa", "-t", "2"},
                                        {"repeats", "-q", "-L", "10", "g.fa"},
                                        {"neighbors", "-q", "q.fa", "--at", "1-8", "-d", "2"},
                                        {"prefix", "-q", "--entry", "AC", "--entry", "T", "q.fa"},
                                        {"merge", "-q", "p.tsv"},
                                        {"count", "-q", "-x", "g.gsx", "q.fa"},
                                        {"locate", "-q", "-x", "g.gsx", "q.fa", "--paf", "-t", "2"},
                                        {"extract", "-q", "g.gsx"},
                                        {"info", "-q", "--json", "g.gsx"}};

void wait_microseconds(std::uint64_t time) {
  std::this_thread::sleep_for(std::chrono::microseconds(time));
}

/// A build that has created its temporary file and waits for input until it is told to go on.
class WaitingBuild {
 public:
  explicit WaitingBuild(const TemporaryFolder& folder, const std::string& output = "out")
      : pipe_(folder / ("pipe" + std::to_string(++number))) {
    CHECK(mkfifo(pipe_.c_str(), 0600) == 0);
    fd_ = open(pipe_.c_str(), O_RDWR | O_CLOEXEC);  // opening a FIFO this way never waits
    const auto before = folder.names();
    process_.emplace(gsx_command({"index", "-q", pipe_, "-o", output}),
                     RunOptions{.folder = folder.path()});
    REQUIRE(becomes_true([&] { return folder.names().size() > before.size(); }));
  }
  Process& process() { return *process_; }
  Outcome finish() {
    CHECK(write(fd_, ">r\nACGTACGT\n", 12) == 12);
    // The input ends when no process has it open for writing. gsx must open it before we close it:
    // the temporary file shows that it has, since it is created later.
    wait_microseconds(100'000);
    close(fd_);
    return process_->wait();
  }

 private:
  static inline int number = 0;
  std::string pipe_;
  int fd_;
  std::optional<Process> process_;
};

}  // namespace

TEST_CASE("a run ended at a random moment leaves a complete file, the file before it, or none") {
  const Place place;
  Random random(seed);
  const int each = sanitized ? 6 : 24;
  int ended = 0, finished = 0, kills = 0;
  for (const Arguments& writer : writers) {
    CAPTURE(writer[0]);
    Arguments arguments = writer;
    arguments.insert(arguments.end(), {"-o", "out"});
    const auto start = std::chrono::steady_clock::now();
    REQUIRE(place.start(arguments).wait().exit_code == 0);
    const std::chrono::duration<double> whole_time = std::chrono::steady_clock::now() - start;
    const std::string whole = place.folder.read("out");
    for (int i = 0; i < each; ++i) {
      const int signal_number =
          std::array{SIGKILL, SIGTERM, SIGINT}[static_cast<std::size_t>(i) % 3];
      const bool precious = i % 2 == 0;
      precious ? (void)place.folder.write("out", "precious")
               : (void)std::filesystem::remove(place.folder / "out");
      Process process = place.start(arguments);
      wait_microseconds(below(random, static_cast<std::uint64_t>(whole_time.count() * 1.2e6)));
      process.send(signal_number);
      const Outcome outcome = process.wait();
      CAPTURE(signal_number);
      CAPTURE(outcome.err);
      CHECK((outcome.signal == signal_number || outcome.exit_code == 0));
      // LeakSanitizer may complain about a thread that ended while it looked.
      if (!sanitized) CHECK(outcome.err == "");
      const bool there = place.folder.has("out");
      const std::string content = there ? place.folder.read("out") : "";
      if (outcome.exit_code == 0) {
        CHECK((content == whole));
      } else if (content != whole) {  // a signal may come after the rename
        CHECK(there == precious);
        CHECK((!there || content == "precious"));
      }
      if (signal_number != SIGKILL) CHECK_FALSE(place.has_temporary());
      // The next run succeeds, and removes what a killed run has left.
      if (signal_number == SIGKILL) {
        ++kills;
        CHECK(place.start(arguments).wait().exit_code == 0);
        CHECK((place.folder.read("out") == whole));
        CHECK_FALSE(place.has_temporary());
      }
      (outcome.exit_code == 0 ? finished : ended)++;
    }
  }
  CHECK(ended > 0);
  MESSAGE(ended << " runs ended by a signal (of " << kills << " sent SIGKILL), " << finished
                << " were done before, seed " << seed);
}

TEST_CASE("a signal between the names of several outputs waits until all have theirs") {
  const Place place;
  struct Several {
    std::string command;
    std::set<std::string> outputs;
  };
  for (const auto& [command, outputs] : std::vector<Several>{
           {"count -q -x g.gsx q.fa -o a --summary b --unmatched c", {"a", "b", "c"}},
           {"sa -q g.fa -o a --lcp b", {"a", "b"}},
           {"index -q --shards 2 g.fa -o a.gsx", {"a.gsx", "a.000.gsx", "a.001.gsx"}}}) {
    CAPTURE(command);
    for (const int signal_number : {SIGTERM, SIGINT}) {
      std::string line = "exec env LD_PRELOAD=" GSX_FAILING_IO
                         " FAIL_CALL=rename FAIL_AT=2 FAIL_WAIT=400 FAIL_MARK=mark";
      if (sanitized) line += " ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0";
      Process process({"/bin/sh", "-c", line + " \"$0\" " + command, gsx_command({})[0]},
                      {.folder = place.folder.path()});
      REQUIRE(becomes_true([&] { return place.folder.has("mark"); }));
      process.send(signal_number);
      const Outcome outcome = process.wait();
      CHECK((outcome.signal == signal_number || outcome.exit_code == 0));
      for (const std::string& output : outputs)
        CHECK(place.folder.has(output));
      CHECK_FALSE(place.has_temporary());
      for (const std::string& name : place.folder.names())
        if (name == "mark" || outputs.contains(name)) std::filesystem::remove(place.folder / name);
    }
  }
}

TEST_CASE("results on standard output are right up to where a signal ends the run") {
  const Place place;
  Random random(seed + 1);
  int ended = 0;
  for (const Arguments& writer : writers) {
    if (writer[0] == "index") continue;
    CAPTURE(writer[0]);
    const Outcome whole = place.start(writer).wait();
    REQUIRE(whole.exit_code == 0);
    for (int i = 0; i < (sanitized ? 3 : 9); ++i) {
      Process process = place.start(writer);
      wait_microseconds(below(random, sanitized ? 400'000 : 40'000));
      process.send(std::array{SIGKILL, SIGTERM, SIGINT}[static_cast<std::size_t>(i) % 3]);
      const Outcome outcome = process.wait();
      CHECK(whole.out.starts_with(outcome.out));
      ended += outcome.signal != 0;
    }
  }
  CHECK(ended > 0);
  MESSAGE(ended << " runs ended by a signal");
}

TEST_CASE("the next run removes what a killed run left, for its own output only") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTACGT\n");
  const std::vector<std::string> users = {"out.tmp.1", "out.tmp.99999999", "out.tmp.7-2",
                                          ".out.gsx-1-2-3-4-5.tmp"};
  for (const std::string& name : users)
    folder.write(name, "somebody's");
  for (const char* output : {"out", "out2"}) {
    WaitingBuild build(folder, output);
    build.process().send(SIGKILL);
    CHECK(build.process().wait().signal == SIGKILL);
  }
  const auto left = [&] {
    auto names = folder.names();
    std::erase_if(names, [](const std::string& name) { return !is_temporary(name); });
    return names;
  };
  REQUIRE(left().size() == 3);
  const Outcome outcome = run({"index", "g.fa", "-o", "out"}, {.folder = folder.path()});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("info: removed .out.gsx-") != std::string::npos);
  REQUIRE(left().size() == 2);
  CHECK(left()[0] == users[3]);
  CHECK(left()[1].starts_with(".out2.gsx-"));
  for (const std::string& name : users)
    CHECK(folder.read(name) == "somebody's");
}

TEST_CASE("a finished output is never taken for a temporary file, whatever its name") {
  const Place place;
  const std::vector<std::string> shards = {"res.tmp.1", "res.tmp.2", "res.tmp.3", "res.tmp",
                                           "res.gsx-1.tmp"};
  for (const std::string& shard : shards)
    check_output(place.start({"count", "-q", "-x", "g.gsx", "-p", "A", "-o", shard}).wait(), "");
  check_output(place.start({"count", "-q", "-x", "g.gsx", "-p", "C", "-o", "res"}).wait(), "");
  for (const std::string& shard : shards)
    CHECK(place.folder.has(shard));
  check_failure(
      place.start({"count", "-x", "g.gsx", "-p", "A", "-o", ".r.gsx-1-2-3-4-5.tmp"}).wait(), 2,
      {".r.gsx-1-2-3-4-5.tmp", "another name"});
}

TEST_CASE("a running build keeps its temporary file, whatever other runs do") {
  const TemporaryFolder folder;
  folder.write("g.fa", ">r\nACGTACGTAA\n");
  WaitingBuild first(folder), second(folder);  // both build the same file
  CHECK(run({"index", "-q", "g.fa", "-o", "out"}, {.folder = folder.path()}).exit_code == 0);
  const std::string other = folder.read("out");
  CHECK(first.finish().exit_code == 0);
  const std::string mine = folder.read("out");
  CHECK(mine != other);
  second.process().send(SIGKILL);
  CHECK(second.process().wait().signal == SIGKILL);
  CHECK((folder.read("out") == mine));
  CHECK(run({"verify", "--full", "-q", folder / "out"}).exit_code == 0);
  CHECK(run({"index", "-q", "g.fa", "-o", "out"}, {.folder = folder.path()}).exit_code == 0);
  const auto names = folder.names();
  CHECK(names.size() == 4);  // including two pipes
  CHECK(std::none_of(names.begin(), names.end(), is_temporary));
}

TEST_CASE("many builds of one file at once all succeed, and the file is always complete") {
  const Place place;
  const std::string whole = place.folder.read("g.gsx");
  std::vector<std::unique_ptr<Process>> builds;
  for (int b = 0; b < 6; ++b) {
    builds.push_back(std::make_unique<Process>(gsx_command({"index", "-q", "g.fa", "-o", "out"}),
                                               RunOptions{.folder = place.folder.path()}));
  }
  for (const auto& build : builds) {
    const Outcome outcome = build->wait();
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "");
    CHECK((place.folder.read("out") == whole));
  }
  CHECK_FALSE(place.has_temporary());
}

TEST_CASE("an ignored signal stays ignored, as nohup needs") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder / "p").c_str(), 0600) == 0);
  const Outcome outcome = run_shell(
      "trap '' HUP INT; (exec \"$gsx\" index -q p -o out) & exec 8> p; echo '>r' >&8; "
      "until ls -A | grep -q tmp; do sleep 0.01; done; kill -HUP $!; kill -INT $!; sleep 0.1; "
      "echo ACGT >&8; exec 8>&-; wait $!",
      {.folder = folder.path()});
  CHECK(outcome.exit_code == 0);
  CHECK(folder.has("out"));
}

TEST_CASE("every signal that ends a job and can be caught removes the temporary file") {
  std::vector<int> numbers = {SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2,   SIGALRM,  SIGXCPU, SIGVTALRM,
                              SIGPROF, SIGIO,   SIGPWR,  SIGSTKFLT, SIGRTMIN, SIGRTMAX};
  if (!sanitized)
    numbers.insert(numbers.end(), {SIGSEGV, SIGABRT, SIGSYS, SIGTRAP, SIGFPE, SIGILL});
  for (const int number : numbers) {
    CAPTURE(number);
    const TemporaryFolder folder;
    WaitingBuild build(folder);
    build.process().send(number);
    CHECK(build.process().wait().signal == number);
    CHECK(folder.names().size() == 1);  // the pipe
  }
}

TEST_CASE("a bench ended by a signal leaves nothing in the folder for temporary files") {
  const Arguments endless = {"bench",           "-q",       "--length", "200000",   "--work",
                             "pipeline,locate", "--repeat", "1000",     "--device", "cpu"};
  for (const int number : {SIGTERM, SIGIO, SIGRTMIN, SIGKILL}) {
    CAPTURE(number);
    const TemporaryFolder folder;
    const RunOptions options{.environment = {"TMPDIR=" + folder.path()}};
    Process bench(gsx_command(endless), options);
    REQUIRE(becomes_true([&] {
      const auto names = folder.names();
      return !names.empty() && !std::filesystem::is_empty(folder / names[0]);
    }));
    const auto names = folder.names();
    const auto status = std::filesystem::status(folder / names[0]);
    CHECK(status.permissions() == std::filesystem::perms::owner_all);  // no links of others in it
    bench.send(number);
    CHECK(bench.wait().signal == number);
    if (number != SIGKILL) {
      CHECK(folder.names().empty());
      continue;
    }
    CHECK_FALSE(folder.names().empty());
    CHECK(run({"bench", "-q", "--length", "2000", "--reads", "10", "--work", "locate", "--device",
               "cpu", "--repeat", "1"},
              options)
              .exit_code == 0);
    CHECK(folder.names().empty());
  }
}
