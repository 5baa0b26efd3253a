// What a process can see of its own state: signals, locale, environment, limits, descriptors, logs.
#pragma once

#include <fcntl.h>
#include <htslib/hts.h>
#include <sched.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cfenv>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>

namespace gsx::testing {

/// Facts by name, in words.
using Facts = std::map<std::string, std::string>;

template <class... Values>
inline std::string words(const Values&... values) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  ((out << values << ' '), ...);
  return std::move(out).str();
}

inline std::string bytes_of(const void* object, std::size_t size) {
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(object)[i]);
    hex += digits;
  }
  return hex;
}

/// The signals of a set, decoded; the kernel leaves the other bytes of the set as they were.
inline std::string members(const sigset_t& signals) {
  std::string found;
  for (int signal = 1; signal <= SIGRTMAX; ++signal)
    if (sigismember(&signals, signal) == 1) found += std::to_string(signal) + ' ';
  return found;
}

inline void add_signals(Facts& facts) {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0) continue;
    facts["signal " + std::to_string(signal)] =
        words(reinterpret_cast<void*>(action.sa_handler), action.sa_flags, members(action.sa_mask));
  }
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  facts["blocked signals"] = members(blocked);
  stack_t stack{};
  sigaltstack(nullptr, &stack);
  facts["signal stack"] = words(stack.ss_sp, stack.ss_size, stack.ss_flags);
  for (const auto timer : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval value{};
    getitimer(timer, &value);
    facts["timer " + std::to_string(timer)] = words(value.it_value.tv_sec, value.it_value.tv_usec);
  }
}

inline void add_languages(Facts& facts) {
  facts["locale of C"] = setlocale(LC_ALL, nullptr);
  facts["locale of C++"] = words(std::locale().name(), std::locale() == std::locale::classic());
  facts["rounding"] = words(std::fegetround());
  facts["std::cout"] = words(std::cout.flags(), std::cout.precision(), std::cout.rdstate());
  facts["handlers of C++"] = words(reinterpret_cast<void*>(std::get_terminate()),
                                   reinterpret_cast<void*>(std::get_new_handler()));
}

inline void add_surroundings(Facts& facts) {
  for (char** variable = environ; *variable != nullptr; ++variable)
    facts["environment"] += *variable + std::string("\n");
  const mode_t mask = umask(0);
  umask(mask);
  facts["umask"] = words(mask);
  facts["folder"] = std::filesystem::current_path().string();
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit{};
    getrlimit(static_cast<__rlimit_resource>(resource), &limit);
    facts["limit " + std::to_string(resource)] = words(limit.rlim_cur, limit.rlim_max);
  }
  facts["priority"] = words(getpriority(PRIO_PROCESS, 0), sched_getscheduler(0));
  cpu_set_t processors{};
  sched_getaffinity(0, sizeof processors, &processors);
  facts["processors"] = bytes_of(&processors, sizeof processors);
  char name[32] = {};
  prctl(PR_GET_NAME, name);
  facts["prctl"] =
      words(name, prctl(PR_GET_DUMPABLE), prctl(PR_GET_TIMERSLACK),
            prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  errno = 0;
  facts["children"] = words(waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD);
}

inline void add_descriptors(Facts& facts) {
  for (int fd = 0; fd < 256; ++fd) {
    std::error_code error;
    const auto target = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), error);
    if (error) continue;
    // Other processes may move on in files that were inherited, such as a log of tests.
    const off_t offset = fd == STDIN_FILENO ? lseek(fd, 0, SEEK_CUR) : 0;
    facts["descriptor " + std::to_string(fd)] =
        words(target.string(), fcntl(fd, F_GETFD), fcntl(fd, F_GETFL), offset);
  }
}

inline void add_logs(Facts& facts) {
  facts["log of htslib"] = words(hts_verbose, hts_get_log_level());
  facts["default logger of spdlog"] =
      words(spdlog::default_logger_raw(), spdlog::default_logger_raw()->level(),
            spdlog::default_logger_raw()->sinks().size(), spdlog::get_level());
  spdlog::apply_all([&](const std::shared_ptr<spdlog::logger>& logger) {
    facts["loggers of spdlog"] += words(logger->name(), logger->level());
  });
}

inline std::size_t thread_count() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

/// What a process can see of its own state.
inline Facts facts_of_process() {
  Facts facts;
  add_signals(facts);
  add_languages(facts);
  add_surroundings(facts);
  add_descriptors(facts);
  add_logs(facts);
  return facts;
}

}  // namespace gsx::testing
