// What this machine, and the limits set on this process, leave to a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gsx {

/// Bytes of memory, and what they are limited by, in words.
struct MemoryRoom {
  std::uint64_t bytes = ~std::uint64_t{0};
  std::string limited_by = "nothing known";
  /// Whether taking more ends the process: the control group's limit. Of free memory, which others
  /// may give back, and of addresses, of which one cannot say beforehand how many a run needs, some
  /// more may be had, or is refused then.
  bool hard = false;
};

/// Facts as found when asked for; what the system does not tell is empty, or 0.
struct MachineFacts {
  std::string cpu_model;
  std::uint64_t memory_total = 0;
  std::uint64_t memory_available = 0;  ///< without swapping, as the system estimates it
  /// The least limit of the control groups that this process is in, and what they use of it beside
  /// pages that can be dropped.
  std::optional<std::uint64_t> cgroup_limit;
  std::uint64_t cgroup_used = 0;
  std::optional<std::uint64_t> cgroup_threads;       ///< see cgroup_thread_limit()
  std::optional<std::uint64_t> address_space_limit;  ///< RLIMIT_AS: ulimit -v
  std::optional<std::uint64_t> data_limit;           ///< RLIMIT_DATA: ulimit -d
  std::uint64_t address_space_used = 0;
  std::uint64_t resident = 0;
  std::optional<std::uint64_t> open_files_limit;
  std::optional<std::uint64_t> file_size_limit;
  std::uint64_t page_bytes = 0;
  std::string huge_pages;  ///< always, madvise or never
};

MachineFacts machine_facts();

/// Number of threads that this process may keep running: those of its CPU affinity, or fewer where
/// its control groups allow less CPU time. At least 1.
int available_threads();

/// What the peak memory of this process may become with `threads` threads: free memory, or less
/// where a limit is lower. Of a limit on the address space, what is reserved without being used,
/// and the stacks of threads, are left out.
MemoryRoom memory_room(const MachineFacts& facts, int threads);

/// The least memory limit, of control groups below `root` (/sys/fs/cgroup), of a process whose
/// /proc/self/cgroup is `membership`; both versions of control groups. Sets `used` as
/// MachineFacts::cgroup_used says.
std::optional<std::uint64_t> cgroup_memory_limit(const std::string& root,
                                                 const std::string& membership,
                                                 std::uint64_t& used);

/// The CPU time that control groups allow such a process, in threads that run all the time, rounded
/// up: the least of all its groups, of both versions.
std::optional<std::uint64_t> cgroup_thread_limit(const std::string& root,
                                                 const std::string& membership);

/// Bytes that may be written to the file system of `folder`; none when it cannot be asked.
std::optional<std::uint64_t> free_disk_bytes(const std::string& folder);

}  // namespace gsx
