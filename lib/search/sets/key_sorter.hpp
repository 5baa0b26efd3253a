// Sorts records by keys of one or more words, on several threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "search/sets/sequence_key.hpp"

namespace gsx {

/// A radix sort from the highest bits that differ downwards, so that what all keys share costs one
/// pass. Record has a member `key`, a SequenceKey. Keeps the order of equal keys.
template <class Record>
class KeySorter {
 public:
  /// Sorts `records`; `other` is scratch space of the same size. Cost: on evenly spread keys, two
  /// passes and an insertion sort in the cache.
  static void sort(Record* records, Record* other, std::uint64_t count, int threads) {
    if (threads < 2 || count < parallel_from) return sort_here(records, other, count);
    const auto parts = static_cast<std::uint64_t>(threads);
    std::vector<decltype(Record::key)> varied(parts, decltype(Record::key){});
    parallel_for(threads, parts, [&](std::uint64_t p, int) {
      const Slice slice = slice_of(count, parts, p);
      varied[p] = varying(records[0], records + slice.begin, slice.end - slice.begin);
    });
    decltype(Record::key) all{};
    for (const auto& key : varied)
      all = all | key;
    if (!all.any()) return;
    const Digit digit(all, most_bits);
    std::vector<std::vector<std::uint64_t>> places(parts);
    parallel_for(threads, parts, [&](std::uint64_t p, int) {
      places[p].assign(digit.values(), 0);
      const Slice slice = slice_of(count, parts, p);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        ++places[p][digit.of(records[i])];
    });
    std::vector<std::uint64_t> begins(digit.values() + 1);
    std::uint64_t total = 0;
    for (std::uint64_t d = 0; d < digit.values(); ++d) {
      begins[d] = total;
      for (auto& of_part : places)
        total += std::exchange(of_part[d], total);
    }
    begins.back() = total;
    parallel_for(threads, parts, [&](std::uint64_t p, int) {
      const Slice slice = slice_of(count, parts, p);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        other[places[p][digit.of(records[i])]++] = records[i];
    });
    const auto sort_bin = [&](std::uint64_t d, int with) {
      const std::uint64_t begin = begins[d], size = begins[d + 1] - begin;
      sort(other + begin, records + begin, size, with);
      std::copy_n(other + begin, size, records + begin);
    };
    // All threads share each bin that would keep one of them busy for long.
    const std::uint64_t large = std::max(parallel_from, count / (4 * parts));
    for (std::uint64_t d = 0; d < digit.values(); ++d)
      if (begins[d + 1] - begins[d] > large) sort_bin(d, threads);
    parallel_for(threads, digit.values(), [&](std::uint64_t d, int) {
      if (begins[d + 1] - begins[d] <= large) sort_bin(d, 1);
    });
  }

 private:
  static constexpr std::uint64_t parallel_from = std::uint64_t{1} << 14;
  static constexpr std::uint64_t insertion_limit = 24;
  static constexpr int most_bits = 11;

  /// Some bits of one word of the keys.
  struct Digit {
    /// The highest bits of those set in `varied`, `wanted` of them if there are so many below.
    template <class Key>
    Digit(const Key& varied, int wanted) {
      while (varied.words[word] == 0)
        ++word;
      const int top = bit_length(varied.words[word]);
      const int bits = std::min(top, wanted);
      shift = top - bits;
      mask = (std::uint64_t{1} << bits) - 1;
    }
    std::uint64_t of(const Record& record) const { return record.key.words[word] >> shift & mask; }
    std::uint64_t values() const { return mask + 1; }

    unsigned word = 0;
    int shift;
    std::uint64_t mask;
  };

  static auto varying(const Record& first, const Record* records, std::uint64_t count) {
    decltype(Record::key) bits{};
    constexpr unsigned words = std::extent_v<decltype(bits.words)>;
    for (std::uint64_t i = 0; i < count; ++i)
      for (unsigned w = 0; w < words; ++w)
        bits.words[w] |= records[i].key.words[w] ^ first.key.words[w];
    return bits;
  }

  static void insertion_sort(Record* records, std::uint64_t count) {
    for (std::uint64_t i = 1; i < count; ++i) {
      const Record moved = records[i];
      std::uint64_t j = i;
      for (; j > 0 && moved.key < records[j - 1].key; --j)
        records[j] = records[j - 1];
      records[j] = moved;
    }
  }

  static void sort_here(Record* records, Record* other, std::uint64_t count) {
    if (count <= insertion_limit) return insertion_sort(records, count);
    const auto varied = varying(records[0], records, count);
    if (!varied.any()) return;
    const Digit digit(varied, std::min(most_bits, bit_length(count)));
    std::array<std::uint32_t, (1 << most_bits) + 1> small;
    std::vector<std::uint64_t> large;  // for the few sorts whose counts do not fit in 32 bits
    if (count > ~std::uint32_t{0}) {
      large.resize(digit.values() + 1);
      spread(records, other, count, digit, large.data());
    } else {
      std::fill_n(small.begin(), digit.values() + 1, 0u);
      spread(records, other, count, digit, small.data());
    }
  }

  template <class Number>
  static void spread(Record* records, Record* other, std::uint64_t count, const Digit& digit,
                     Number* ends) {
    for (std::uint64_t i = 0; i < count; ++i)
      ++ends[digit.of(records[i]) + 1];
    for (std::uint64_t d = 1; d < digit.values(); ++d)
      ends[d] += ends[d - 1];
    for (std::uint64_t i = 0; i < count; ++i)
      other[ends[digit.of(records[i])]++] = records[i];
    std::copy_n(other, count, records);
    if (digit.shift == 0 && digit.word + 1 == sizeof(records->key.words) / sizeof(std::uint64_t))
      return;
    std::uint64_t begin = 0;
    for (std::uint64_t d = 0; d < digit.values(); ++d) {
      const std::uint64_t end = ends[d];
      if (end - begin > 1) sort_here(records + begin, other + begin, end - begin);
      begin = end;
    }
  }
};

}  // namespace gsx
