#include "base/machine.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace gsx {
namespace {

/// A small file of the system, or nothing.
std::string read_whole(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  return std::move(content).str();
}

/// The first number of a text; none where it does not begin with one ("max").
std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const char* begin = std::find_if(text.data(), end, [](char c) { return c != ' ' && c != '\t'; });
  if (std::from_chars(begin, end, value).ec != std::errc{}) return std::nullopt;
  return value;
}

/// What follows "name" and a separator in a file of such lines.
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

/// Folder of the group of one hierarchy ("" for version 2) in /proc/self/cgroup's lines
/// "number:controllers:path"; none if the process is in no such group.
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

struct GroupFiles {
  const char* limit;
  const char* used;
  const char* droppable;  ///< in memory.stat
};

}  // namespace

std::optional<std::uint64_t> cgroup_memory_limit(const std::string& root,
                                                 const std::string& membership,
                                                 std::uint64_t& used) {
  namespace fs = std::filesystem;
  // Without a limit version 1 shows the largest multiple of a page.
  constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;
  std::optional<std::uint64_t> least;
  const auto look = [&](const fs::path& top, const std::string& group, const GroupFiles& files) {
    // A container may see its own group as the root, so that a path need not exist below it.
    for (fs::path path = fs::path(group).lexically_normal();; path = path.parent_path()) {
      const fs::path folder = top / path.relative_path();
      const auto limit = number_in(read_whole((folder / files.limit).string()));
      if (limit && *limit < no_limit && (!least || *limit < *least)) {
        least = limit;
        used = number_in(read_whole((folder / files.used).string())).value_or(0);
        const std::string statistics = read_whole((folder / "memory.stat").string());
        const auto droppable = number_in(value_of(statistics, files.droppable)).value_or(0);
        used -= std::min(used, droppable);
      }
      if (path.relative_path().empty()) break;
    }
  };
  if (const auto group = group_of(membership, "")) {
    look(root, *group, {"memory.max", "memory.current", "inactive_file "});
  }
  if (const auto group = group_of(membership, "memory")) {
    look(fs::path(root) / "memory", *group,
         {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "});
  }
  return least;
}

MachineFacts machine_facts() {
  MachineFacts facts;
  facts.cpu_model = value_of(read_whole("/proc/cpuinfo"), "model name");
  const std::string memory = read_whole("/proc/meminfo");
  facts.memory_total = kilobytes_of(memory, "MemTotal");
  facts.memory_available = kilobytes_of(memory, "MemAvailable");
  facts.cgroup_limit =
      cgroup_memory_limit("/sys/fs/cgroup", read_whole("/proc/self/cgroup"), facts.cgroup_used);
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
  const auto at_most = [&](std::uint64_t bytes, const char* what, bool firm) {
    if (bytes >= room.bytes) return;
    room = {bytes, what, firm};
  };
  if (facts.memory_available != 0) {
    at_most(facts.memory_available + facts.resident, "free memory", false);
  }
  if (facts.cgroup_limit) {
    const std::uint64_t others = facts.cgroup_used - std::min(facts.cgroup_used, facts.resident);
    at_most(*facts.cgroup_limit - std::min(*facts.cgroup_limit, others), "the control group", true);
  }
  // Stacks of 8 MiB, for threads that build and others that compute checksums meanwhile.
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
