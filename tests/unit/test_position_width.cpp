// Positions are 32 bits wide in texts of fewer than 2^32 symbols, and 64 bits in longer ones.
#include <doctest/doctest.h>

#include "gsx/error.hpp"
#include "index/sa/suffix_array.hpp"

using namespace gsx;

TEST_CASE("a text of 2^32 symbols is the shortest with 64-bit positions") {
  constexpr std::uint64_t first_wide = std::uint64_t{1} << 32;
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, first_wide / 2 - 1,
                                     first_wide / 2, first_wide / 2 + 1, first_wide - 1}) {
    CAPTURE(length);
    CHECK_FALSE(is_wide(length, PositionWidth::automatic));
  }
  for (const std::uint64_t length : {first_wide, first_wide + 1, 2 * first_wide, ~first_wide}) {
    CAPTURE(length);
    CHECK(is_wide(length, PositionWidth::automatic));
  }
}

TEST_CASE("an explicit width holds for any length") {
  for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{1} << 32}) {
    CHECK(is_wide(length, PositionWidth::wide));
    CHECK_FALSE(is_wide(length, PositionWidth::narrow));
  }
}

TEST_CASE("who asks for entries of another width is told, and does not get none") {
  Buffer<std::uint32_t> positions(3, "test");
  for (std::uint32_t i = 0; i < 3; ++i)
    positions[i] = i;
  SuffixArray rows(std::move(positions));
  rows.drop_first(1);
  CHECK(rows.entries<std::uint32_t>().size() == 2);
  CHECK(rows.entries<std::uint32_t>()[0] == 1);
  CHECK_THROWS_AS(rows.entries<std::uint64_t>(), RuntimeError);
}
