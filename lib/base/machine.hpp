// What the machine, and the limits set on this process, allow a run to use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gsx {

/// A number of bytes of memory, and what limits it, in words.
struct MemoryRoom {
  std::uint64_t bytes = ~std::uint64_t{0};
  std::string limited_by = "nothing known";
  /// Whether using more ends the process, as it does for the limit of a control group. False for
  /// free memory and address space: other processes may free memory, nobody can say beforehand how
  /// many addresses a run needs, and asking for more may simply be refused.
  bool hard = false;
};

/// Facts at the time of the call. What the system does not tell is empty or 0.
struct MachineFacts {
  std::string cpu_model;
  std::uint64_t memory_total = 0;
  std::uint64_t memory_available = 0;  ///< the system's estimate, without swapping
  /// The lowest limit of the control groups of this process, and the memory that counts against it,
  /// without pages that can be dropped.
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

/// Number of threads that this process can keep running: those of its CPU affinity, or fewer if its
/// control groups allow less CPU time. At least 1.
int available_threads();

/// The number of threads that a caller asks for with `threads`: as many, or available_threads() for
/// 0 or less. Never more than 64 and four times available_threads(): they would only take memory.
int threads_for(int threads);

/// threads_for(threads), but fewer for a short text: a thread that has fewer than 4096 symbols to
/// sort does not pay for its start.
int threads_for(int threads, std::uint64_t symbols);

/// How large the peak memory of this process may become with `threads` threads: free memory, or
/// less if a limit is lower. For limits on the address space, subtracts addresses that are reserved
/// and not used, and the stacks of threads.
MemoryRoom memory_room(const MachineFacts& facts, int threads);

/// The lowest memory limit of the control groups, of both versions, below `root` (/sys/fs/cgroup),
/// for a process whose /proc/self/cgroup is `membership`. Sets `used`; see
/// MachineFacts::cgroup_used.
std::optional<std::uint64_t> cgroup_memory_limit(const std::string& root,
                                                 const std::string& membership,
                                                 std::uint64_t& used);

/// The CPU time that control groups allow such a process, as a number of threads that run all the
/// time, rounded up: the lowest limit of all its groups, of both versions.
std::optional<std::uint64_t> cgroup_thread_limit(const std::string& root,
                                                 const std::string& membership);

/// Bytes that may be written to the file system of `folder`; none if the system does not tell.
std::optional<std::uint64_t> free_disk_bytes(const std::string& folder);

}  // namespace gsx
