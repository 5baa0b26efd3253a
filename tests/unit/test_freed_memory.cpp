// Memory that was freed does not count against a limit, although the allocator keeps it.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/memory_limit.hpp"
#include "base/resources.hpp"
#include "device/build.hpp"
#include "support/sanitized.hpp"
#include "support/skip.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr std::uint64_t block = 64 << 10, blocks = 1024, freed = block * blocks;

/// Calls `use` where `freed` bytes more are resident than are in use.
void with_freed_memory(const std::function<void()>& use) {
  std::vector<std::unique_ptr<char[]>> held;
  for (std::uint64_t i = 0; i < blocks; ++i)
    held.push_back(std::make_unique<char[]>(block));
  // The last block, on top of the others, keeps the allocator from giving them back by itself.
  held.erase(held.begin(), held.end() - 1);
  use();
}

}  // namespace

TEST_CASE("freed memory does not count against the limit of a build") {
  GSX_SKIP_IF(sanitized, "sanitizers keep what is freed");
  HostMemory memory;
  memory.limit = resident_bytes() + freed / 2;
  const RequireMemory require = memory.require_as_needed("this work");
  with_freed_memory([&] {
    REQUIRE(resident_bytes() > memory.limit);
    CHECK_NOTHROW(require(freed / 4));
    CHECK_THROWS_WITH_AS(require(freed), doctest::Contains("this work"), ResourceError);
  });
}

TEST_CASE("freed memory does not count against the limit of a reader") {
  GSX_SKIP_IF(sanitized, "sanitizers keep what is freed");
  const std::uint64_t bytes = resident_bytes() + freed / 2;
  MemoryLimit limit = *MemoryLimit::below(bytes);
  with_freed_memory([&] {
    REQUIRE(resident_bytes() > bytes);
    CHECK_NOTHROW(limit.require(freed / 4));
    CHECK_THROWS_AS(limit.require(freed), ResourceError);
  });
}
