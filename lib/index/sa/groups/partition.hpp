// Dividing rows around a sampled key.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/parallel.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

/// The row that sample `i` takes among its `stride` rows. The step is uneven, so that a period of
/// the text does not bias the sample. Pre: stride > 0.
inline std::uint64_t uneven_step(std::uint64_t i, std::uint64_t stride) {
  return (i * 0x9E3779B97F4A7C15u >> 32) % stride;
}

/// Rows in three parts: keys below the pivot, then [less_end, equal_end) with the pivot itself,
/// then keys above it.
struct Partition {
  std::uint64_t less_end;
  std::uint64_t equal_end;
  std::uint64_t pivot;
};

/// Partitions rows around the median of a sample of their keys. key_of(row) reads a key,
/// prefetch(row) asks for what key_of(row) will read, swap(a, b) exchanges two rows.
/// Pre: at least sa_tuning::pivot_samples rows.
template <class KeyOf, class Prefetch, class Swap>
Partition partition_rows(Slice rows, const KeyOf& key_of, const Prefetch& prefetch,
                         const Swap& swap) {
  std::array<std::uint64_t, sa_tuning::pivot_samples> sample;
  const std::uint64_t stride = (rows.end - rows.begin) / sample.size();
  for (std::size_t i = 0; i < sample.size(); ++i)
    sample[i] = key_of(rows.begin + i * stride + uneven_step(i, stride));
  std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
  const std::uint64_t pivot = sample[sample.size() / 2];
  std::uint64_t low = rows.begin, middle = rows.begin, high = rows.end;
  while (middle < high) {
    prefetch(std::min(middle + sa_tuning::keys_ahead, high - 1));
    const std::uint64_t key = key_of(middle);
    if (key < pivot) {
      swap(low++, middle++);
    } else if (key > pivot) {
      swap(middle, --high);
    } else {
      ++middle;
    }
  }
  return {low, high, pivot};
}

}  // namespace gsx
