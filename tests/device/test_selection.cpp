// Elements chosen on the device, at the sizes at which another way of counting begins.
#include <doctest/doctest.h>

#include <vector>

#include "device_calls/selection_checks.hpp"
#include "support/gpu.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("choosing elements: every size, one after another with the same mailboxes") {
  GSX_NEED_GPU();
  constexpr std::uint64_t few = std::uint64_t{1} << 20, by_one_block = std::uint64_t{1} << 24;
  std::vector<std::uint64_t> sizes = {1, 31, 32, 33, 511, 512, 513, 1 << 16, few, few + 1};
  if (share_of(100, 1) == 100) sizes.insert(sizes.end(), {by_one_block, by_one_block + 1, few});
  for (const std::uint64_t stride : {1, 3, 1000}) {
    for (const bool pinned : {true, false}) {
      const std::uint64_t first = pinned ? 0 : 2;
      const auto all = device_selections(sizes, stride, first, 5, pinned);
      REQUIRE(all.size() == sizes.size());
      for (std::size_t s = 0; s < sizes.size(); ++s) {
        CAPTURE(sizes[s]);
        CAPTURE(stride);
        std::vector<std::uint64_t> wanted;
        for (std::uint64_t i = first; i < sizes[s] && first < stride; i += stride)
          wanted.push_back(i);
        CHECK(all[s].size == wanted.size());
        CHECK(all[s].kept == wanted);
        CHECK(all[s].dropped == sizes[s] - wanted.size());
        CHECK(all[s].added == 5);
      }
    }
  }
}

TEST_CASE("mailboxes: as many as are asked for at a time") {
  GSX_NEED_GPU();
  constexpr std::uint64_t count = 70;  // more than there are in pinned memory
  const std::vector<std::uint64_t> sums = sums_of_mailboxes(count);
  REQUIRE(sums.size() == 2 * count);
  for (std::uint64_t i = 0; i < sums.size(); ++i)
    CHECK(sums[i] == i % count);
}

TEST_CASE("mailboxes: one that was not read does not come back") {
  GSX_NEED_GPU();
  const auto [first, second] = sums_of_fresh_mailboxes();
  CHECK(first == 0);
  CHECK(second == 0);
}
