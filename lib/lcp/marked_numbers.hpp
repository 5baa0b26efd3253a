// Finishes numbers of which most are known, and the others are marked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "lcp/small_numbers.hpp"

namespace gsx {

/// Finishes numbers of which some bytes are only marked with SmallNumbers::escape:
/// value_of(i, m) is the number at i, the m-th of those that are marked.
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
  std::vector<std::uint64_t> marked(slices);
  each_slice([&](std::uint64_t s, std::uint64_t begin, std::uint64_t end) {
    marked[s] =
        static_cast<std::uint64_t>(std::count(bytes.data() + begin, bytes.data() + end, escape));
  });
  std::exclusive_scan(marked.begin(), marked.end(), marked.begin(), std::uint64_t{0});
  std::vector<std::vector<Pos>> large_of(slices);
  each_slice([&](std::uint64_t s, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t next = marked[s];
    for (std::uint64_t i = begin; i < end; ++i) {
      if (bytes[i] != escape) continue;
      const std::uint64_t value = value_of(i, next++);
      bytes[i] = static_cast<std::uint8_t>(std::min<std::uint64_t>(value, escape));
      if (value >= escape) large_of[s].push_back(static_cast<Pos>(value));
    }
  });
  const std::uint64_t total =
      std::accumulate(large_of.begin(), large_of.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& some) { return sum + some.size(); });
  Buffer<Pos> large(total, "large numbers");
  Pos* next = large.data();
  for (auto& some : large_of) {
    next = std::copy(some.begin(), some.end(), next);
    some = {};
  }
  return {std::move(bytes), PositionArray(std::move(large)), threads};
}

}  // namespace gsx
