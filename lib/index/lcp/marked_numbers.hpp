// Finishes numbers of which most are known, and the others are marked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "index/lcp/small_numbers.hpp"

namespace gsx {

/// Finishes numbers of which some bytes are only marked with SmallNumbers::escape:
/// value_of(i, m) is the number at i, the m-th of those that are marked. It is called twice for
/// each: once to learn how many of them no byte can hold.
template <class Pos, class ValueOf>
SmallNumbers finish_marked(Buffer<std::uint8_t> bytes, int threads, const ValueOf& value_of) {
  constexpr std::uint8_t escape = SmallNumbers::escape;
  const std::uint64_t slices = static_cast<std::uint64_t>(threads) * 4;
  const auto each_slice = [&](const auto& work) {
    parallel_for(threads, slices, [&](std::uint64_t s, int) {
      const Slice slice = slice_of(bytes.size(), slices, s);
      work(s, slice.begin, slice.end);
    });
  };
  std::vector<std::uint64_t> marked(slices + 1), large_of(slices + 1);
  each_slice([&](std::uint64_t s, std::uint64_t begin, std::uint64_t end) {
    marked[s + 1] =
        static_cast<std::uint64_t>(std::count(bytes.data() + begin, bytes.data() + end, escape));
  });
  std::partial_sum(marked.begin(), marked.end(), marked.begin());
  const auto each_marked = [&](const auto& work) {
    each_slice([&](std::uint64_t s, std::uint64_t begin, std::uint64_t end) {
      std::uint64_t next = marked[s];
      for (std::uint64_t i = begin; i < end; ++i) {
        if (bytes[i] == escape) work(s, i, value_of(i, next++));
      }
    });
  };
  each_marked([&](std::uint64_t s, std::uint64_t, std::uint64_t value) {
    large_of[s + 1] += value >= escape ? 1 : 0;
  });
  std::partial_sum(large_of.begin(), large_of.end(), large_of.begin());
  Buffer<Pos> large(large_of.back(), "large numbers");
  each_marked([&](std::uint64_t s, std::uint64_t i, std::uint64_t value) {
    bytes[i] = static_cast<std::uint8_t>(std::min<std::uint64_t>(value, escape));
    if (value >= escape) large[large_of[s]++] = static_cast<Pos>(value);
  });
  return {std::move(bytes), PositionArray(std::move(large)), threads};
}

}  // namespace gsx
