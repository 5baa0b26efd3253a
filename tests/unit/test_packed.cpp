// Packed arrays: every width, every alignment, windows that compare like their values.
#include <doctest/doctest.h>

#include "base/packed.hpp"
#include "support/texts.hpp"

using namespace gsx;
using namespace gsx::testing;

TEST_CASE("values of every width are read back") {
  Random random(1);
  for (std::uint32_t bits = 1; bits <= 64; ++bits) {
    CAPTURE(bits);
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
    std::vector<std::uint64_t> values(133);
    for (auto& value : values)
      value = random() & most;
    values.front() = most;
    PackedArray array(values.size(), bits, "test");
    PackedWriter writer = array.writer(0);
    for (const std::uint64_t value : values)
      writer.push(value);
    writer.finish();
    for (std::size_t i = 0; i < values.size(); ++i)
      REQUIRE(array.view()[i] == values[i]);
  }
}

TEST_CASE("slices written separately give the same array") {
  for (const std::uint32_t bits : {1u, 2u, 3u, 5u, 7u, 8u, 33u, 40u}) {
    PackedArray array(100, bits, "test");
    for (const std::uint64_t begin : {64u, 0u, 32u, 96u}) {
      PackedWriter writer = array.writer(begin);
      for (std::uint64_t i = begin; i < std::min<std::uint64_t>(100, begin + 32); ++i) {
        writer.push(i & ((std::uint64_t{1} << bits) - 1));
      }
      writer.finish();
    }
    for (std::uint64_t i = 0; i < 100; ++i) {
      REQUIRE(array.view()[i] == (i & ((std::uint64_t{1} << bits) - 1)));
    }
  }
}

TEST_CASE("a window holds the next values, highest bits first") {
  PackedArray array(40, 2, "test");
  PackedWriter writer = array.writer(0);
  for (std::uint64_t i = 0; i < 40; ++i)
    writer.push(i % 4);
  writer.finish();
  for (std::uint64_t first = 0; first < 11; ++first) {
    for (std::uint64_t i = 0; i < 29; ++i) {
      REQUIRE((array.view().window(first) >> (62 - 2 * i) & 3) == (first + i) % 4);
    }
  }
}

TEST_CASE("bits_for is the smallest width") {
  CHECK(bits_for(0) == 1);
  CHECK(bits_for(1) == 1);
  CHECK(bits_for(2) == 2);
  CHECK(bits_for(255) == 8);
  CHECK(bits_for(256) == 9);
}
