// Arrays of numbers that break what looks for smaller ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "support/texts.hpp"

namespace gsx::testing {

/// Arrays of `size` numbers: random ones of many and of few values, sorted and reversed, equal,
/// all the largest, zigzag, up and down, and steps.
template <class Value>
std::vector<std::vector<Value>> number_shapes(Random& random, std::uint64_t size) {
  const auto make = [size](const auto& value_of) {
    std::vector<Value> values(size);
    for (std::uint64_t i = 0; i < size; ++i)
      values[i] = static_cast<Value>(value_of(i));
    return values;
  };
  constexpr std::uint64_t most = std::numeric_limits<Value>::max();
  const auto scaled = [&](std::uint64_t i) { return size <= most ? i : i * most / size; };
  return {
      make([&](std::uint64_t) { return random(); }),
      make([&](std::uint64_t) { return below(random, 3); }),
      make([&](std::uint64_t) { return below(random, 40); }),
      make([&](std::uint64_t i) { return scaled(i); }),
      make([&](std::uint64_t i) { return scaled(size - i); }),
      make([&](std::uint64_t) { return 5; }),
      make([&](std::uint64_t) { return most; }),
      make([&](std::uint64_t i) { return i % 2 == 0 ? scaled(i) : scaled(size - i); }),
      make([&](std::uint64_t i) { return scaled(std::min(i, size - i)); }),
      make([&](std::uint64_t i) { return scaled(std::max(i, size - i)); }),
      make([&](std::uint64_t i) { return scaled(size - i / 7 * 7); }),
      make([&](std::uint64_t i) { return i % 100 == 99 ? 0 : most; }),
  };
}

}  // namespace gsx::testing
