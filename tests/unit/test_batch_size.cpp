// How batches shrink and grow by what they make.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/batch_size.hpp"

using namespace gsx;

TEST_CASE("batches are as large as may be until something is known") {
  BatchSize size(1 << 20);
  CHECK(size.bytes() == 1 << 20);
  size.learn(1000, 1000, 1 << 20);
  CHECK(size.bytes() == 1 << 20);
  size.start_small();
  CHECK(size.bytes() == 1 << 15);
}

TEST_CASE("batches shrink at once to what makes as much as a thread holds") {
  BatchSize size(1 << 20);
  size.learn(1 << 20, std::uint64_t{1} << 32, 1 << 22);
  CHECK(size.bytes() == std::max<std::uint64_t>(1 << 10, BatchSize::usual_least));
  BatchSize small(1 << 20, 1);
  small.learn(1 << 20, std::uint64_t{1} << 32, 1 << 22);
  CHECK(small.bytes() == 1 << 10);
  small.learn(1, ~std::uint64_t{0}, 1);
  CHECK(small.bytes() == 1);
}

TEST_CASE("batches grow to twice their size, up to the most") {
  BatchSize size(100'000);
  size.start_small();
  for (const std::uint64_t expected : {8192, 16384, 32768, 65536, 100'000, 100'000}) {
    size.learn(1000, 10, 1 << 22);
    CHECK(size.bytes() == expected);
  }
  for (const std::uint64_t made : {0, 1000})
    size.learn(0, made, 1);  // of nothing, nothing is learnt
  CHECK(size.bytes() == 100'000);
  BatchSize one(1);
  one.start_small();
  one.learn(1, 1, 1);
  CHECK(one.bytes() == 1);
}
