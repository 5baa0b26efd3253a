// Runs the gsx program as a user does.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/files.hpp"
#include "support/sanitized.hpp"
#include "support/skip.hpp"

namespace gsx::testing {

// --- Processes -----------------------------------------------------------------------------

using Arguments = std::vector<std::string>;

struct RunOptions {
  std::string input = {};   ///< sent through a pipe; standard input is empty without it
  std::string folder = {};  ///< to start in; the test's own if empty
  std::vector<std::string> environment = {};  ///< NAME=VALUE, in addition to the test's own
  double timeout_seconds = 120;               ///< then the process gets SIGKILL
};

/// How a process ended, and what it printed.
struct Outcome {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;      ///< that signal
  bool timed_out = false;
  std::string out;
  std::string err;
};

/// A running process. Its output goes to unnamed files, so it never waits for the test to read.
class Process {
 public:
  explicit Process(const Arguments& command, RunOptions options = {})
      : options_(std::move(options)),
        out_(memfd_create("out", MFD_CLOEXEC)),
        err_(memfd_create("err", MFD_CLOEXEC)) {
    int pipe_ends[2] = {-1, -1};
    if (out_ < 0 || err_ < 0 || pipe2(pipe_ends, O_CLOEXEC) != 0) {
      throw std::runtime_error("cannot open the streams of a process");
    }
    spawn(command, pipe_ends[0]);
    close(pipe_ends[0]);
    signal(SIGPIPE, SIG_IGN);  // a program need not read all its input
    feeder_ = std::thread([this, fd = pipe_ends[1]] { feed(fd); });
  }
  ~Process() {
    if (!ended_) {
      send(SIGKILL);
      wait();
    }
    close(out_);
    close(err_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal_number) const { kill(pid_, signal_number); }
  pid_t pid() const { return pid_; }
  std::string out() const { return content(out_); }
  std::string err() const { return content(err_); }

  /// Whether the process has ended.
  bool ended() {
    if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
    return ended_;
  }

  /// Waits for the end; kills the process when its time is over.
  Outcome wait() {
    const auto start = std::chrono::steady_clock::now();
    const auto limit = std::chrono::duration<double>(options_.timeout_seconds);
    bool timed_out = false;
    while (!ended()) {
      if (!timed_out && std::chrono::steady_clock::now() - start > limit) {
        timed_out = true;
        send(SIGKILL);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    if (feeder_.joinable()) feeder_.join();
    Outcome outcome;
    outcome.timed_out = timed_out;
    if (WIFEXITED(status_)) outcome.exit_code = WEXITSTATUS(status_);
    if (WIFSIGNALED(status_)) outcome.signal = WTERMSIG(status_);
    outcome.out = out();
    outcome.err = err();
    return outcome;
  }

 private:
  void spawn(const Arguments& command, int input) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out_, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err_, STDERR_FILENO);
    // The program must not inherit files of the test, such as a lock.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (!options_.folder.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions, options_.folder.c_str());
    }
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    std::vector<std::string> environment = options_.environment;
    if (sanitized) {
      environment.emplace_back("LSAN_OPTIONS=print_suppressions=0:suppressions=" GSX_SOURCE_DIR
                               "/tests/support/leaks.txt");
    }
    for (char** entry = environ; *entry != nullptr; ++entry) {
      // Settings of the person who runs the tests must not leak into them.
      if (std::string_view(*entry).starts_with("GSX_INDEX=")) continue;
      environment.emplace_back(*entry);
    }
    const int error = posix_spawnp(&pid_, command.at(0).c_str(), &actions, &attributes,
                                   pointers(command).data(), pointers(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
      throw std::runtime_error("cannot start " + command[0] + ": " + std::strerror(error));
    }
  }

  static std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> made;
    for (const std::string& string : strings)
      made.push_back(const_cast<char*>(string.c_str()));
    made.push_back(nullptr);
    return made;
  }

  void feed(int fd) const {
    std::string_view rest = options_.input;
    while (!rest.empty()) {
      const ssize_t done = write(fd, rest.data(), rest.size());
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) break;
      rest.remove_prefix(static_cast<std::size_t>(done));
    }
    close(fd);
  }

  static std::string content(int fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0) return {};
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t done = pread(fd, bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, done)));
    return bytes;
  }

  RunOptions options_;
  int out_;
  int err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::thread feeder_;
};

/// The command line for `gsx` and these arguments.
inline Arguments gsx_command(Arguments arguments) {
  arguments.insert(arguments.begin(), gsx_program);
  return arguments;
}

/// Runs gsx until it ends.
inline Outcome run(const Arguments& arguments, const RunOptions& options = {}) {
  return Process(gsx_command(arguments), options).wait();
}

/// Runs a bash script with pipefail; "$gsx" is the program.
inline Outcome run_shell(const std::string& script, RunOptions options = {}) {
  options.environment.push_back("gsx=" + gsx_program);
  return Process({"bash", "-c", "set -o pipefail; " + script}, options).wait();
}

/// Whether gsx can use a GPU here.
inline bool gpu_works() {
  return run_shell("printf '>r\\nACGT\\n' | \"$gsx\" sa --device cuda -").exit_code == 0;
}

/// Whether a program of this name can be started.
inline bool has_command(const std::string& name) {
  return run_shell("command -v " + name).exit_code == 0;
}

/// Waits up to `seconds` for `condition`.
template <class Condition>
bool becomes_true(const Condition& condition, double seconds = 60) {
  const auto start = std::chrono::steady_clock::now();
  while (!condition()) {
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    if (waited.count() > seconds) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return true;
}

// --- Expectations --------------------------------------------------------------------------

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

inline std::vector<std::string> error_lines(const std::string& err) {
  std::vector<std::string> found;
  for (const std::string& line : lines_of(err)) {
    if (line.starts_with("error:")) found.push_back(line);
  }
  return found;
}

/// Checks that the run failed as documented: with this exit code and exactly one `error:` line,
/// which comes last and contains all of `words`.
inline void check_error(const Outcome& outcome, int exit_code,
                        const std::vector<std::string>& words = {}) {
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.signal == 0);
  CHECK_FALSE(outcome.timed_out);
  const auto errors = error_lines(outcome.err);
  REQUIRE(errors.size() == 1);
  CHECK(lines_of(outcome.err).back() == errors[0]);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(errors[0].find(word) != std::string::npos);
  }
}

/// Also checks that standard output is empty.
inline void check_failure(const Outcome& outcome, int exit_code,
                          const std::vector<std::string>& words = {}) {
  check_error(outcome, exit_code, words);
  CHECK(outcome.out == "");
}

/// Checks that the run succeeded with exactly this on standard output.
inline void check_output(const Outcome& outcome, const std::string& out) {
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == out);
}

/// Checks that the run succeeded, and returns its standard output.
inline std::string output_of(const Outcome& outcome) {
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return outcome.out;
}

/// What help says of a command: its page, and the entries of "gsx help tuning" that are of it.
inline std::string whole_help(const std::string& command) {
  static const std::string tuning = output_of(run({"help", "tuning"}));
  std::string page = output_of(run({command, "--help"}));
  for (std::size_t at = tuning.find("\n  -"), end; at != tuning.npos; at = end) {
    end = std::min(tuning.find("\n  -", at + 1), tuning.find("\n\n", at + 1));
    const std::string entry = tuning.substr(at, end - at);
    std::istringstream words(entry.substr(entry.rfind("; for ") + 6));
    for (std::string word; words >> word;)
      if (word == command || word == command + ',') page += entry + '\n';
    if (tuning.compare(end, 2, "\n\n") == 0) break;
  }
  return page;
}

/// The words under "Commands:" and "More commands:" in the help of the program.
inline std::vector<std::string> names_of_commands(const std::string& help) {
  std::vector<std::string> names;
  bool listed = false;
  for (const std::string& line : lines_of(help)) {
    if (line.empty()) listed = false;
    if (listed && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (line == "Commands:" || line == "More commands:") listed = true;
  }
  return names;
}

}  // namespace gsx::testing
