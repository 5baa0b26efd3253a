#include "base/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "base/bits.hpp"

namespace gsx {
namespace {

/// The content of a small file of the system; empty if it cannot be read.
std::string read_whole(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  return std::move(content).str();
}

/// The number at the beginning of a text; none if it does not begin with one ("max").
std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const char* begin = std::find_if(text.data(), end, [](char c) { return c != ' ' && c != '\t'; });
  if (std::from_chars(begin, end, value).ec != std::errc{}) return std::nullopt;
  return value;
}

/// The value in a line "NAME: value" or "NAME value".
std::string value_of(const std::string& lines, const std::string& name) {
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(name)) continue;
    const auto value = line.find_first_not_of(" \t:", name.size());
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

std::uint64_t kilobytes_of(const std::string& lines, const std::string& name) {
  return number_in(value_of(lines, name)).value_or(0) * 1024;
}

std::optional<std::uint64_t> limit_of(decltype(RLIMIT_AS) resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

/// Hardware threads that the process may run on, at least 1.
std::uint64_t threads_of_affinity() {
  for (int processors = CPU_SETSIZE; processors <= 1 << 20; processors *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(processors));
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(processors));
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return static_cast<std::uint64_t>(count);
    if (errno != EINVAL) break;  // EINVAL: the machine has more processors than the set holds
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

/// The path of the process's control group in one hierarchy ("" for version 2), from the lines
/// "number:controllers:path" of /proc/self/cgroup; none if it is in no such group.
std::optional<std::string> group_of(const std::string& membership, const std::string& controller) {
  std::istringstream stream(membership);
  for (std::string line; std::getline(stream, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    if (controllers == ",," ? controller.empty()
                            : !controller.empty() &&
                                  controllers.find(',' + controller + ',') != std::string::npos) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

/// The folders, each with a slash at the end, of the process's control group and of all groups
/// above it: below `root` for version 2, whose controller is "", and below root/controller for
/// version 1.
std::vector<std::string> group_folders(const std::string& root, const std::string& membership,
                                       const std::string& controller) {
  namespace fs = std::filesystem;
  std::vector<std::string> folders;
  const auto group = group_of(membership, controller);
  if (!group) return folders;
  // A container may see its own group as the root, so a path need not exist below it.
  for (fs::path path = fs::path(*group).lexically_normal();; path = path.parent_path()) {
    folders.push_back((fs::path(root) / controller / path.relative_path()).string() + '/');
    if (path.relative_path().empty()) return folders;
  }
}

struct GroupFiles {
  const char* limit;
  const char* used;
  const char* droppable;  ///< the field in memory.stat
};

}  // namespace

std::optional<std::uint64_t> cgroup_memory_limit(const std::string& root,
                                                 const std::string& membership,
                                                 std::uint64_t& used) {
  // Version 1 shows the largest multiple of a page if there is no limit.
  constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
  std::optional<std::uint64_t> least;
  const auto look = [&](const std::string& folder, const GroupFiles& files) {
    const auto limit = number_in(read_whole(folder + files.limit));
    if (!limit || *limit >= no_limit || (least && *limit >= *least)) return;
    least = limit;
    used = number_in(read_whole(folder + files.used)).value_or(0);
    const auto droppable = number_in(value_of(read_whole(folder + "memory.stat"), files.droppable));
    used -= std::min(used, droppable.value_or(0));
  };
  for (const std::string& folder : group_folders(root, membership, ""))
    look(folder, {"memory.max", "memory.current", "inactive_file "});
  for (const std::string& folder : group_folders(root, membership, "memory"))
    look(folder, {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "});
  return least;
}

std::optional<std::uint64_t> cgroup_thread_limit(const std::string& root,
                                                 const std::string& membership) {
  std::optional<std::uint64_t> least;
  const auto look = [&](std::optional<std::uint64_t> quota, std::optional<std::uint64_t> period) {
    if (!quota || !period || *period == 0) return;  // "max" and -1 mean no limit
    const std::uint64_t threads = std::max<std::uint64_t>(1, divide_up(*quota, *period));
    least = std::min(threads, least.value_or(threads));
  };
  for (const std::string& folder : group_folders(root, membership, "")) {
    const std::string pair = read_whole(folder + "cpu.max");
    look(number_in(pair), number_in(pair.substr(std::min(pair.size(), pair.find(' ')))));
  }
  for (const std::string& folder : group_folders(root, membership, "cpu")) {
    look(number_in(read_whole(folder + "cpu.cfs_quota_us")),
         number_in(read_whole(folder + "cpu.cfs_period_us")));
  }
  return least;
}

int available_threads() {
  const auto quota = cgroup_thread_limit("/sys/fs/cgroup", read_whole("/proc/self/cgroup"));
  constexpr std::uint64_t most = 1 << 16;
  return static_cast<int>(std::min(threads_of_affinity(), quota.value_or(most)));
}

int threads_for(int threads) {
  constexpr int always_given = 64, per_available = 4;
  if (threads <= 0) return available_threads();
  if (threads <= always_given) return threads;
  return std::min(threads, std::max(always_given, per_available * available_threads()));
}

int threads_for(int threads, std::uint64_t symbols) {
  constexpr std::uint64_t least_symbols = 4096;
  return static_cast<int>(
      std::min(static_cast<std::uint64_t>(threads_for(threads)), 1 + symbols / least_symbols));
}

MachineFacts machine_facts() {
  MachineFacts facts;
  facts.cpu_model = value_of(read_whole("/proc/cpuinfo"), "model name");
  const std::string memory = read_whole("/proc/meminfo");
  facts.memory_total = kilobytes_of(memory, "MemTotal");
  facts.memory_available = kilobytes_of(memory, "MemAvailable");
  facts.cgroup_limit =
      cgroup_memory_limit("/sys/fs/cgroup", read_whole("/proc/self/cgroup"), facts.cgroup_used);
  facts.cgroup_threads = cgroup_thread_limit("/sys/fs/cgroup", read_whole("/proc/self/cgroup"));
  facts.address_space_limit = limit_of(RLIMIT_AS);
  facts.data_limit = limit_of(RLIMIT_DATA);
  facts.open_files_limit = limit_of(RLIMIT_NOFILE);
  facts.file_size_limit = limit_of(RLIMIT_FSIZE);
  const std::string status = read_whole("/proc/self/status");
  facts.address_space_used = kilobytes_of(status, "VmSize");
  facts.resident = kilobytes_of(status, "VmRSS");
  facts.page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::string choices = read_whole("/sys/kernel/mm/transparent_hugepage/enabled");
  const auto open = choices.find('['), close = choices.find(']');
  if (open != std::string::npos && close != std::string::npos) {
    facts.huge_pages = choices.substr(open + 1, close - open - 1);
  }
  return facts;
}

MemoryRoom memory_room(const MachineFacts& facts, int threads) {
  MemoryRoom room;
  const auto at_most = [&](std::uint64_t bytes, const char* what, bool hard) {
    if (bytes >= room.bytes) return;
    room = {bytes, what, hard};
  };
  if (facts.memory_available != 0) {
    at_most(facts.memory_available + facts.resident, "free memory", false);
  }
  if (facts.cgroup_limit) {
    const std::uint64_t others = facts.cgroup_used - std::min(facts.cgroup_used, facts.resident);
    at_most(*facts.cgroup_limit - std::min(*facts.cgroup_limit, others), "the control group", true);
  }
  // Stacks of 8 MiB, and memory that the allocator reserves for each thread.
  constexpr std::uint64_t reserved_by_thread = std::uint64_t{16} << 20;
  const std::uint64_t reserved = facts.address_space_used - facts.resident +
                                 static_cast<std::uint64_t>(threads) * reserved_by_thread;
  const auto of_addresses = [&](const std::optional<std::uint64_t>& limit, const char* what) {
    if (limit) at_most(*limit - std::min(*limit, reserved), what, false);
  };
  of_addresses(facts.address_space_limit, "ulimit -v");
  of_addresses(facts.data_limit, "ulimit -d");
  return room;
}

std::optional<std::uint64_t> free_disk_bytes(const std::string& folder) {
  struct statvfs status {};
  if (statvfs(folder.c_str(), &status) != 0) return std::nullopt;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

}  // namespace gsx
