// What limits memory: control groups of both versions, limits of the process, free memory.
#include <doctest/doctest.h>

#include <thread>

#include "base/machine.hpp"
#include "support/files.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

struct Groups {
  TemporaryFolder root;

  void write(const std::string& group, const std::string& file, const std::string& content) const {
    std::filesystem::create_directories(root / group);
    root.write(group + '/' + file, content);
  }
  std::optional<std::uint64_t> limit(const std::string& membership) {
    used = 0;
    return cgroup_memory_limit(root.path(), membership, used);
  }
  std::uint64_t used = 0;
};

}  // namespace

TEST_CASE("the lowest limit on the way up to the root group counts") {
  Groups groups;
  groups.write("a/b/c", "memory.max", "max\n");
  groups.write("a/b", "memory.max", "5000\n");
  groups.write("a/b", "memory.current", "900\n");
  groups.write("a/b", "memory.stat", "anon 700\ninactive_file 150\nactive_file 50\n");
  groups.write("a", "memory.max", "7000\n");
  CHECK(groups.limit("0::/a/b/c\n") == 5000);
  CHECK(groups.used == 750);
  CHECK(groups.limit("0::/a\n") == 7000);
  CHECK(groups.limit("0::/\n") == std::nullopt);
  CHECK(groups.limit("") == std::nullopt);
}

TEST_CASE("a container sees its own group as the root, under another path") {
  Groups groups;
  groups.write(".", "memory.max", "123456\n");
  CHECK(groups.limit("0::/docker/0123abc\n") == 123456);
}

TEST_CASE("version 1 names the controller, and shows a huge number if there is no limit") {
  Groups groups;
  groups.write("memory/job", "memory.limit_in_bytes", "800000\n");
  groups.write("memory/job", "memory.usage_in_bytes", "1000\n");
  groups.write("memory/job", "memory.stat", "inactive_file 1\ntotal_inactive_file 300\n");
  groups.write("memory", "memory.limit_in_bytes", "9223372036854771712\n");
  const std::string membership = "5:cpu,cpuacct:/other\n4:memory:/job\n0::/\n";
  CHECK(groups.limit(membership) == 800000);
  CHECK(groups.used == 700);
  CHECK(groups.limit("4:memory:/\n") == std::nullopt);
}

TEST_CASE("the CPU time of control groups gives threads, rounded up, the fewest of all levels") {
  Groups groups;
  const auto threads = [&](const std::string& membership) {
    return cgroup_thread_limit(groups.root.path(), membership);
  };
  CHECK(threads("0::/a/b\n") == std::nullopt);
  groups.write("a/b", "cpu.max", "max 100000\n");
  CHECK(threads("0::/a/b\n") == std::nullopt);
  groups.write("a", "cpu.max", "250000 100000\n");
  CHECK(threads("0::/a/b\n") == 3);
  CHECK(threads("0::/a\n") == 3);
  CHECK(threads("0::/\n") == std::nullopt);
  groups.write("a/b", "cpu.max", "200000 100000\n");
  CHECK(threads("0::/a/b\n") == 2);
  groups.write("a/b", "cpu.max", "1000 100000\n");
  CHECK(threads("0::/a/b\n") == 1);
  groups.write("a/b", "cpu.max", "900000 100000\n");
  CHECK(threads("0::/a/b\n") == 3);  // a group above allows less
  for (const char* broken : {"", "max", "100000", "100000 0", "x y", "-1 100000"}) {
    groups.write("c", "cpu.max", broken);
    CHECK(threads("0::/c\n") == std::nullopt);
  }
  groups.write(".", "cpu.max", "150000 50000\n");  // a container sees its own group as the root
  CHECK(threads("0::/docker/0123abc\n") == 3);
}

TEST_CASE("version 1 has a quota, or -1, and a period for the controller of CPU time") {
  Groups groups;
  const auto threads = [&](const std::string& membership) {
    return cgroup_thread_limit(groups.root.path(), membership);
  };
  groups.write("cpu/job/step", "cpu.cfs_quota_us", "-1\n");
  groups.write("cpu/job/step", "cpu.cfs_period_us", "100000\n");
  const std::string membership = "5:cpu,cpuacct:/job/step\n4:memory:/other\n0::/\n";
  CHECK(threads(membership) == std::nullopt);
  groups.write("cpu/job", "cpu.cfs_quota_us", "350000\n");
  groups.write("cpu/job", "cpu.cfs_period_us", "100000\n");
  CHECK(threads(membership) == 4);
  groups.write(".", "cpu.max", "100000 100000\n");  // both versions at once
  CHECK(threads(membership) == 1);
  CHECK(threads("5:cpuset:/job\n") == std::nullopt);
}

TEST_CASE("this process may run at least one thread, and at most one per processor") {
  CHECK(available_threads() >= 1);
  CHECK(available_threads() <= static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

TEST_CASE("the room for a run is what the lowest limit leaves") {
  MachineFacts facts;
  facts.memory_available = 1'000'000'000;
  facts.resident = 10'000'000;
  CHECK(memory_room(facts, 2).bytes == 1'010'000'000);
  CHECK(memory_room(facts, 2).limited_by == "free memory");
  CHECK_FALSE(memory_room(facts, 2).hard);
  facts.cgroup_limit = 900'000'000;
  facts.cgroup_used = 30'000'000;  // 20 million of it by other processes
  CHECK(memory_room(facts, 2).bytes == 880'000'000);
  CHECK(memory_room(facts, 2).limited_by == "the control group");
  CHECK(memory_room(facts, 2).hard);
  facts.address_space_limit = 700'000'000;
  facts.address_space_used = 60'000'000;
  CHECK(memory_room(facts, 1).bytes == 700'000'000 - 50'000'000 - (16u << 20));
  CHECK_FALSE(memory_room(facts, 1).hard);
  CHECK(memory_room(facts, 1).limited_by == "ulimit -v");
  facts.data_limit = 1000;
  CHECK(memory_room(facts, 1).bytes == 0);
  CHECK(memory_room({}, 1).bytes == ~std::uint64_t{0});
}

TEST_CASE("the facts of this machine are plausible") {
  const MachineFacts facts = machine_facts();
  CHECK(facts.memory_total > 0);
  CHECK(facts.memory_available > 0);
  CHECK(facts.resident > 0);
  CHECK(facts.address_space_used >= facts.resident);
  CHECK(facts.page_bytes >= 4096);
  CHECK(free_disk_bytes("/").has_value());
  CHECK_FALSE(free_disk_bytes("/no/such/folder").has_value());
}
