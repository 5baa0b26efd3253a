// Nearest smaller values against a look at every neighbour.
#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include "arrays/minima/nearest_smaller.hpp"
#include "gsx/arrays.hpp"
#include "gsx/error.hpp"
#include "support/number_shapes.hpp"

using namespace gsx;
using namespace gsx::testing;

namespace {

constexpr SmallerRules all_rules[] = {{Smaller::strictly, Smaller::strictly},
                                      {Smaller::strictly, Smaller::or_equal},
                                      {Smaller::or_equal, Smaller::strictly},
                                      {Smaller::or_equal, Smaller::or_equal}};

bool counts(Smaller rule, std::uint64_t other, std::uint64_t value) {
  return rule == Smaller::strictly ? other < value : other <= value;
}

struct Neighbours {
  std::vector<std::uint32_t> left, right;
  bool operator==(const Neighbours&) const = default;
};

template <class Value>
Neighbours naive_neighbours(const std::vector<Value>& values, const SmallerRules& rules) {
  const std::uint64_t n = values.size();
  Neighbours found{std::vector(n, no_position<std::uint32_t>),
                   std::vector(n, no_position<std::uint32_t>)};
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint64_t j = i;
    while (j > 0 && !counts(rules.left, values[j - 1], values[i]))
      --j;
    if (j > 0) found.left[i] = static_cast<std::uint32_t>(j - 1);
    j = i + 1;
    while (j < n && !counts(rules.right, values[j], values[i]))
      ++j;
    if (j < n) found.right[i] = static_cast<std::uint32_t>(j);
  }
  return found;
}

/// With the array cut into `chunks` chunks. Each element must be emitted once.
template <class Value>
Neighbours in_chunks(const std::vector<Value>& values, const SmallerRules& rules,
                     std::uint64_t chunks, int threads) {
  const std::uint64_t n = values.size();
  Neighbours found{std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
  std::vector<std::atomic<int>> calls(n);
  with_smaller_rules(rules, [&]<Smaller left_rule, Smaller right_rule>() {
    nearest_smaller_in_chunks<left_rule, right_rule, std::uint32_t>(
        std::span<const Value>(values), chunks, threads,
        [&](std::uint32_t i, std::uint32_t left, std::uint32_t right) {
          found.left[i] = left;
          found.right[i] = right;
          ++calls[i];
        });
  });
  std::uint64_t wrong = 0;
  for (const std::atomic<int>& count : calls)
    wrong += count != 1;
  CHECK(wrong == 0);
  return found;
}

template <class Value>
void check_shapes(std::uint64_t size, Random& random) {
  for (const auto& values : number_shapes<Value>(random, size)) {
    for (const SmallerRules& rules : all_rules) {
      CAPTURE(size);
      CAPTURE(static_cast<int>(rules.left));
      CAPTURE(static_cast<int>(rules.right));
      const Neighbours expected = naive_neighbours(values, rules);
      for (const std::uint64_t chunks : {1, 2, 3, 5, 17}) {
        CAPTURE(chunks);
        const bool on_threads = size >= 100 && chunks > 2;
        const int threads = on_threads ? static_cast<int>(1 + below(random, 5)) : 1;
        CHECK(in_chunks(values, rules, chunks, threads) == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("nearest smaller values are those that a look at every neighbour finds") {
  Random random(21);
  for (std::uint64_t size = 0; size < 70; ++size)
    check_shapes<std::uint32_t>(size, random);
  for (const std::uint64_t size : {100, 257, 1000}) {
    check_shapes<std::uint8_t>(size, random);
    check_shapes<std::uint16_t>(size, random);
    check_shapes<std::uint32_t>(size, random);
    check_shapes<std::uint64_t>(size, random);
  }
}

TEST_CASE("nearest smaller values: long arrays on 1, 2 and 5 threads, one side or both") {
  Random random(22);
  const std::uint64_t n = 300'000;
  for (const auto& values : number_shapes<std::uint32_t>(random, n)) {
    for (const SmallerRules& rules : all_rules) {
      std::vector<std::uint32_t> left(n), right(n), other(n);
      arrays::nearest_smaller(values, left, right, rules, 1);
      const Neighbours one = in_chunks(values, rules, 1, 1);
      CHECK(left == one.left);
      CHECK(right == one.right);
      for (const int threads : {2, 5}) {
        arrays::nearest_smaller(values, other, {}, rules, threads);
        CHECK(other == left);
        arrays::nearest_smaller(values, {}, other, rules, threads);
        CHECK(other == right);
      }
    }
  }
}

TEST_CASE("nearest smaller values: positions of 64 bits, and spans of a wrong size") {
  const std::vector<std::uint64_t> values{4, 2, 2, 9};
  std::vector<std::uint64_t> left(4), right(4);
  arrays::nearest_smaller(values, left, right);
  constexpr auto none = no_position<std::uint64_t>;
  CHECK(left == std::vector<std::uint64_t>{none, none, none, 2});
  CHECK(right == std::vector<std::uint64_t>{1, none, none, none});
  left.resize(3);
  CHECK_THROWS_AS(arrays::nearest_smaller(values, left, right), UsageError);
}

TEST_CASE(
    "nearest smaller values ask for what waits for a neighbour: two entries if all are equal") {
  constexpr std::uint64_t n = 4'000'000;
  constexpr auto strictly = Smaller::strictly;
  std::vector<std::uint32_t> values(n, 7);
  const auto asked = [&](int threads) {
    std::atomic<std::uint64_t> bytes{0};
    for_each_nearest_smaller<strictly, strictly, std::uint32_t>(
        std::span<const std::uint32_t>(values), threads,
        [](std::uint32_t, std::uint32_t, std::uint32_t) {}, NothingRead{},
        [&](std::uint64_t more) { bytes += more; });
    return static_cast<double>(bytes) / n;
  };
  CHECK(asked(1) > 11);
  CHECK(asked(1) <= 12);
  CHECK(asked(2) > 20);
  CHECK(asked(2) <= 24);
  for (std::uint32_t i = 0; i < n; ++i)
    values[i] = i * 2654435761u;
  CHECK(asked(2) < 1);
}
