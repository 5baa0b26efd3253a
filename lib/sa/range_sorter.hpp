// Sorting ranges of a suffix array by a key of each position.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/bits.hpp"
#include "base/buffer.hpp"

namespace gsx {

/// One thread's workspace for sorting ranges of positions by 64-bit keys that a function gives.
/// Small ranges are gathered as (key, position) records and sorted by radix from the highest bit
/// in which they differ; large ones are first split in place around a pivot.
template <class Pos>
class RangeSorter {
 public:
  /// Records that fit a core's own cache, both copies together.
  static constexpr std::uint64_t local_limit = std::uint64_t{1} << 15;
  /// Keys asked for in advance.
  static constexpr std::uint64_t ahead = 16;
  static constexpr std::uint64_t bytes = 2 * local_limit * 16;

  RangeSorter() : records_(local_limit, "sorting"), other_(local_limit, "sorting") {}

  /// Sorts positions[begin, end) by key_of(position), which prefetch(position) asks for in advance,
  /// and calls on_group(begin, end, key), in
  /// increasing order, for each maximal run of at least two equal keys.
  /// Cost: O(size) key fetches while size <= local_limit, else O(size log size) expected.
  template <class KeyOf, class Prefetch, class OnGroup>
  void sort(Pos* positions, std::uint64_t begin, std::uint64_t end, const KeyOf& key_of,
            const Prefetch& prefetch, const OnGroup& on_group) {
    while (end - begin > local_limit) {
      const auto [less_end, equal_end, pivot] = split(positions, begin, end, key_of);
      sort(positions, begin, less_end, key_of, prefetch, on_group);
      if (equal_end - less_end > 1) on_group(less_end, equal_end, pivot);
      begin = equal_end;
    }
    sort_local(positions, begin, end, key_of, prefetch, on_group);
  }

 private:
  struct Record {
    std::uint64_t key;
    Pos position;
  };
  struct Split {
    std::uint64_t less_end;
    std::uint64_t equal_end;
    std::uint64_t pivot;
  };

  static constexpr std::uint64_t insertion_limit = 20;

  /// Splits a range into less, equal and greater than a sampled median. The recursion above is on
  /// the lower part only; the median of many samples keeps it shallow.
  template <class KeyOf>
  Split split(Pos* positions, std::uint64_t begin, std::uint64_t end, const KeyOf& key_of) {
    std::array<std::uint64_t, 127> sample;
    const std::uint64_t stride = (end - begin) / sample.size();
    for (std::size_t i = 0; i < sample.size(); ++i) {
      // An odd step through the range, so that a period of the text does not bias the sample.
      sample[i] = key_of(positions[begin + (i * stride + i * i) % (end - begin)]);
    }
    std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
    const std::uint64_t pivot = sample[sample.size() / 2];
    std::uint64_t low = begin, middle = begin, high = end;
    while (middle < high) {
      const std::uint64_t key = key_of(positions[middle]);
      if (key < pivot) {
        std::swap(positions[low++], positions[middle++]);
      } else if (key > pivot) {
        std::swap(positions[middle], positions[--high]);
      } else {
        ++middle;
      }
    }
    return {low, high, pivot};
  }

  template <class KeyOf, class Prefetch, class OnGroup>
  void sort_local(Pos* positions, std::uint64_t begin, std::uint64_t end, const KeyOf& key_of,
                  const Prefetch& prefetch, const OnGroup& on_group) {
    const std::uint64_t count = end - begin;
    if (count < 2) return;
    Record* records = records_.data();
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i + ahead < count) prefetch(positions[begin + i + ahead]);
      const Pos p = positions[begin + i];
      records[i] = {key_of(p), p};
    }
    radix_sort(records, other_.data(), count);
    for (std::uint64_t i = 0; i < count; ++i)
      positions[begin + i] = records[i].position;
    for (std::uint64_t i = 1; i < count; ++i) {
      if (records[i].key != records[i - 1].key) continue;
      const std::uint64_t first = i - 1;
      while (i + 1 < count && records[i + 1].key == records[first].key)
        ++i;
      on_group(begin + first, begin + i + 1, records[first].key);
    }
  }

  static void insertion_sort(Record* records, std::uint64_t count) {
    for (std::uint64_t i = 1; i < count; ++i) {
      const Record moved = records[i];
      std::uint64_t j = i;
      for (; j > 0 && records[j - 1].key > moved.key; --j)
        records[j] = records[j - 1];
      records[j] = moved;
    }
  }

  /// Stable; sorts in `records`, uses `other` of the same size. Each level takes the highest bits
  /// in which the records differ at all, so shared prefixes cost one pass.
  static void radix_sort(Record* records, Record* other, std::uint64_t count) {
    if (count <= insertion_limit) return insertion_sort(records, count);
    std::uint64_t different = 0;
    for (std::uint64_t i = 1; i < count; ++i)
      different |= records[i].key ^ records[0].key;
    if (different == 0) return;
    const int top = bit_length(different);
    // About one record a bin: fewer bins would leave work to the insertion sort, more would cost
    // more to clear and scan than they save.
    const int digit_bits = std::min(top, std::clamp(bit_length(count) - 1, 3, 11));
    const int shift = top - digit_bits;
    const std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
    std::array<std::uint32_t, (1 << 11) + 1> starts;
    std::fill_n(starts.begin(), mask + 2, 0u);
    for (std::uint64_t i = 0; i < count; ++i)
      ++starts[((records[i].key >> shift) & mask) + 1];
    for (std::uint64_t d = 1; d <= mask; ++d)
      starts[d + 1] += starts[d];
    for (std::uint64_t i = 0; i < count; ++i) {
      other[starts[(records[i].key >> shift) & mask]++] = records[i];
    }
    std::copy_n(other, count, records);
    if (shift == 0) return;
    std::uint32_t begin = 0;
    for (std::uint64_t d = 0; d <= mask; ++d) {  // starts[d] is now the end of bin d
      const std::uint32_t size = starts[d] - begin;
      if (size > insertion_limit) radix_sort(records + begin, other + begin, size);
      begin = starts[d];
    }
    // Small bins all at once: records hardly move, and never out of their bin.
    insertion_sort(records, count);
  }

  Buffer<Record> records_;
  Buffer<Record> other_;
};

}  // namespace gsx
