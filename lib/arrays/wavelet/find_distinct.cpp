#include "arrays/wavelet/find_distinct.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t small_table = std::uint64_t{1} << 16;

template <class Value>
std::uint64_t largest_of(std::span<const Value> array, int threads) {
  std::vector<Value> largest(static_cast<std::size_t>(threads));
  run_threads(threads, [&](int thread) {
    const auto t = static_cast<std::uint64_t>(thread);
    const Slice own = slice_of(array.size(), largest.size(), t);
    Value most = 0;
    for (std::uint64_t i = own.begin; i < own.end; ++i)
      most = std::max(most, array[i]);
    largest[t] = most;
  });
  return *std::max_element(largest.begin(), largest.end());
}

/// By marking each value in a table.
template <class Value>
DistinctValues by_table(std::span<const Value> array, std::uint64_t largest, int threads) {
  DistinctValues distinct;
  distinct.table.assign(largest + 1, DistinctValues::absent);
  run_threads(threads, [&](int thread) {
    const Slice own = slice_of(array.size(), static_cast<std::uint64_t>(threads),
                               static_cast<std::uint64_t>(thread));
    for (std::uint64_t i = own.begin; i < own.end; ++i) {
      const std::atomic_ref<std::uint32_t> mark(distinct.table[array[i]]);
      if (mark.load(std::memory_order_relaxed) != 0) mark.store(0, std::memory_order_relaxed);
    }
  });
  for (std::uint64_t value = 0; value <= largest; ++value) {
    if (distinct.table[value] == DistinctValues::absent) continue;
    distinct.table[value] = static_cast<std::uint32_t>(distinct.values.size());
    distinct.values.push_back(value);
  }
  return distinct;
}

/// By sorting a slice per thread, and merging what is distinct in each.
template <class Value>
DistinctValues by_sorting(std::span<const Value> array, int threads) {
  const auto slices = static_cast<std::uint64_t>(threads);
  std::vector<std::vector<Value>> sorted(slices);
  run_threads(threads, [&](int thread) {
    const Slice own = slice_of(array.size(), slices, static_cast<std::uint64_t>(thread));
    auto& some = sorted[static_cast<std::size_t>(thread)];
    some.assign(array.begin() + static_cast<std::ptrdiff_t>(own.begin),
                array.begin() + static_cast<std::ptrdiff_t>(own.end));
    std::sort(some.begin(), some.end());
    some.erase(std::unique(some.begin(), some.end()), some.end());
    some.shrink_to_fit();
  });
  DistinctValues distinct;
  for (auto& some : sorted) {
    std::vector<std::uint64_t> both;
    both.reserve(distinct.values.size() + some.size());
    std::set_union(distinct.values.begin(), distinct.values.end(), some.begin(), some.end(),
                   std::back_inserter(both));
    distinct.values = std::move(both);
    some = {};
  }
  require_numbered(distinct.values.size());
  return distinct;
}

}  // namespace

bool numbers_in_table(std::uint64_t largest, std::uint64_t size) {
  const std::uint64_t most = std::max<std::uint64_t>(small_table, 2 * size);
  return largest < std::min<std::uint64_t>(most, DistinctValues::absent);
}

void require_numbered(std::uint64_t distinct) {
  if (distinct < DistinctValues::absent) return;
  throw UsageError("the array has " + std::to_string(distinct) +
                   " distinct values, more than 2^32 - 1");
}

template <class Value>
DistinctValues find_distinct(std::span<const Value> array, int threads) {
  if (array.empty()) return {};
  const std::uint64_t largest = largest_of(array, threads);
  if (numbers_in_table(largest, array.size())) return by_table(array, largest, threads);
  return by_sorting(array, threads);
}

template DistinctValues find_distinct(std::span<const std::uint8_t>, int);
template DistinctValues find_distinct(std::span<const std::uint16_t>, int);
template DistinctValues find_distinct(std::span<const std::uint32_t>, int);
template DistinctValues find_distinct(std::span<const std::uint64_t>, int);

}  // namespace gsx
