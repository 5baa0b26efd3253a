#include "process/process.hpp"

#include <fcntl.h>
#include <htslib/hts_log.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "bytes/mapped_file.hpp"
#include "bytes/removal.hpp"

namespace gsx::app {
namespace {

/// Signals that do not end a process by default, and the two that cannot be handled.
bool ends_no_process(int signal) {
  constexpr int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                            SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};
  return std::find(std::begin(others), std::end(others), signal) != std::end(others);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

/// Whether a signal is neither ignored, as under nohup, nor handled by someone else, such as a
/// profiler or a sanitizer.
bool has_default_action(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
}

/// Ends the process because of its index. Async-signal-safe.
[[noreturn]] void end_by_index(std::string_view why) {
  static std::atomic_flag told;
  while (told.test_and_set())  // another thread reports the error and ends the process
    pause();
  for (const std::string_view part : {std::string_view("error: "), why, std::string_view("\n")})
    (void)!write(STDERR_FILENO, part.data(), part.size());
  remove_at_signal();
  _exit(static_cast<int>(ErrorKind::index_corrupt));
}

/// Handles SIGBUS: a mapped file has become shorter, or its disk cannot be read.
void end_by_lost_pages(int signal, siginfo_t* info, void*) {
  if (info->si_code != BUS_ADRERR) return end_by_signal(signal);
  end_by_index(
      "the index has become shorter, or cannot be read any more, while it was in use; copy it "
      "again or rebuild it with gsx index");
}

/// Handles SIGSEGV: what stands in a mapped file that somebody writes to leads anywhere.
void end_by_wrong_address(int signal) {
  if (has_written_map()) end_by_index(written_index);
  end_by_signal(signal);
}

}  // namespace

void silence_htslib() {
  hts_set_log_level(HTS_LOG_OFF);
}

void allow_open_files(std::uint64_t files) {
  constexpr std::uint64_t others = 256;  // queries, outputs, libraries, a GPU's driver
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= files + others) return;
  limit.rlim_cur = std::min<rlim_t>(files + others, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);  // if it fails, opening a file says what is wrong
}

void end_by_signal(int signal) {
  remove_at_signal();
  handle(signal, SIG_DFL);
  raise(signal);
}

void open_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // open() returns the lowest free number, which is this one.
    (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void handle_signals() {
  for (const int signal : {SIGPIPE, SIGXFSZ})
    handle(signal, SIG_IGN);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (!ends_no_process(signal) && has_default_action(signal))
      handle(signal, signal == SIGSEGV ? end_by_wrong_address : end_by_signal);
  }
  struct sigaction action {};
  action.sa_sigaction = end_by_lost_pages;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

void give_memory_back(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, 2 * bytes);
}

void give_memory_back_within(std::uint64_t limit) {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  give_memory_back(static_cast<int>(std::clamp<std::uint64_t>(limit / 128, mib / 8, 4 * mib)));
}

void refuse_terminal(const std::string& output, const std::string& what,
                     const std::string& remedy) {
  const bool standard = output.empty() || output == "-";
  struct stat status {};
  if (!standard && (stat(output.c_str(), &status) != 0 || !S_ISCHR(status.st_mode))) return;
  const int fd = standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                          : open(output.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return;  // opening the output will report why
  const bool terminal = isatty(fd) == 1;
  close(fd);
  if (terminal) throw UsageError("not writing " + what + " to a terminal: " + remedy);
}

}  // namespace gsx::app
