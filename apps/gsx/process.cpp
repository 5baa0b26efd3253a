#include "process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>

#include "base/error.hpp"
#include "base/temporary_file.hpp"

namespace gsx::app {
namespace {

constexpr int ending_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,  SIGALRM,
                                  SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM};

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// A mapped file is shorter than it was, or its disk cannot be read. Async-signal-safe.
void end_by_lost_pages(int signal, siginfo_t* info, void*) {
  if (info->si_code != BUS_ADRERR) return end_by_signal(signal);
  static std::atomic_flag told;
  while (told.test_and_set())  // another thread tells, and ends us all
    pause();
  constexpr std::string_view line =
      "error: the index has become shorter, or cannot be read any more, while it was in use; copy "
      "it again or rebuild it with gsx index\n";
  (void)!write(STDERR_FILENO, line.data(), line.size());
  remove_temporary_files();
  _exit(static_cast<int>(ErrorKind::index_corrupt));
}

}  // namespace

void end_by_signal(int signal) {
  remove_temporary_files();
  handle(signal, SIG_DFL);
  raise(signal);
}

void open_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest number that is free is this one.
    (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void handle_signals() {
  for (const int signal : {SIGPIPE, SIGXFSZ})
    handle(signal, SIG_IGN);
  for (const int signal : ending_signals) {
    if (!is_ignored(signal)) handle(signal, end_by_signal);
  }
  struct sigaction action {};
  action.sa_sigaction = end_by_lost_pages;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

void give_memory_back() {
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 8 << 20);
}

}  // namespace gsx::app
