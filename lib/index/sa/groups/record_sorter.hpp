// Sorting groups of suffixes in the cache of one core.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/buffer.hpp"
#include "index/sa/tuning.hpp"

namespace gsx {

/// What happens to suffixes whose keys are equal: the depth of the key that sorts them next, or one
/// of these.
enum TieAction : std::uint64_t {
  keep_order = ~std::uint64_t{0},             ///< this sort fetches no further key for them
  order_by_position = ~std::uint64_t{0} - 1,  ///< they are sorted by position, and done
};

/// A suffix to be sorted, with a tag that moves along with it.
struct SuffixRecord {
  std::uint64_t key;
  std::uint64_t item;

  static constexpr int position_bits = 48;
  static SuffixRecord of(std::uint64_t key, std::uint64_t position, std::uint16_t tag = 0) {
    return {key, std::uint64_t{tag} << position_bits | position};
  }
  std::uint64_t position() const { return item & ((std::uint64_t{1} << position_bits) - 1); }
  std::uint16_t tag() const { return static_cast<std::uint16_t>(item >> position_bits); }
};

/// One thread's workspace. It sorts all its groups by their next key before it sorts any group by
/// the key after that, so that it can prefetch many keys ahead.
class RecordSorter {
 public:
  /// Records in the workspace; two copies of them fit the second-level cache of a core.
  static constexpr std::uint64_t limit = sa_tuning::record_limit;
  static constexpr std::uint64_t bytes = 2 * limit * sizeof(SuffixRecord);

  RecordSorter() : records_(limit, "sorting"), other_(limit, "sorting") {}

  SuffixRecord* records() { return records_.data(); }

  /// Adds records [begin, end), which stand for rows [row, row + end - begin), as a group to be
  /// sorted by the key at `depth`.
  void add_group(std::uint64_t begin, std::uint64_t end, std::uint64_t row, std::uint64_t depth) {
    groups_.push_back({begin, end, row - begin, depth});
  }

  /// Sorts all groups by key_at(position, depth). For each maximal run of at least two equal keys,
  /// on_tie(begin row, end row, depth, key) returns a TieAction. key_at.prefetch(position, depth)
  /// and, later, key_at.prefetch_last(position, depth) ask for the memory that the key is read
  /// from.
  template <class KeyAt, class OnTie>
  void sort_groups(const KeyAt& key_at, const OnTie& on_tie) {
    std::vector<Group> level;
    while (!groups_.empty()) {
      std::swap(level, groups_);
      groups_.clear();
      fetch_keys(level, key_at);
      SuffixRecord* records = records_.data();
      for (const Group& group : level) {
        sort_keys(records + group.begin, other_.data(), group.end - group.begin);
        find_ties(group, [&](std::uint64_t begin, std::uint64_t end, const SuffixRecord& record) {
          return on_tie(begin, end, group.depth, record.key);
        });
      }
    }
  }

  /// Sorts the `count` records that for_each(visit) visits, which stand for the rows from `row` on,
  /// by the keys that they carry. The sort is fastest when the bits of the keys from bit `top`
  /// downwards are evenly used. Ties become groups for sort_groups: on_tie(begin row, end row, one
  /// of the records) returns a TieAction; prefetch(position of that record) is called some time
  /// before.
  template <class ForEach, class Prefetch, class OnTie>
  void sort_first(const ForEach& for_each, std::uint64_t count, std::uint64_t row, int top,
                  const Prefetch& prefetch, const OnTie& on_tie) {
    Bins bins;
    // The bits are evenly used, so spare bins leave less to the insertion sort.
    bins.shape(bit_length(count) - 1 + sa_tuning::spare_bin_bits, top);
    for_each([&](const SuffixRecord& record) { bins.count(record.key); });
    bins.sum();
    for_each([&](const SuffixRecord& record) { records_[bins.next(record.key)] = record; });
    sort_bins(bins, records_.data(), other_.data(), count);
    find_ties({0, count, row, 0}, [&](std::uint64_t, std::uint64_t, const SuffixRecord& record) {
      prefetch(record.position());
      return 0;
    });
    std::erase_if(groups_, [&](Group& group) {
      group.depth = on_tie(group.begin + row, group.end + row, records_[group.begin]);
      return group.depth == keep_order;
    });
  }

 private:
  struct Group {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t row_offset;  ///< add it to the index of a record to get its row
    std::uint64_t depth;
  };

  struct Fetch {
    SuffixRecord* record;
    std::uint64_t depth;
  };

  /// Bins of records by some bits of their keys.
  struct Bins {
    int shift;
    std::uint64_t mask;
    std::uint32_t largest;  ///< records in one bin, after sum()
    std::array<std::uint32_t, (1 << sa_tuning::most_bin_bits) + 1> starts;

    /// The bins of the highest bits below `top`, `wanted` of them if there are so many.
    void shape(int wanted, int top) {
      const int bits = std::min(top, std::clamp(wanted, 3, sa_tuning::most_bin_bits));
      shift = top - bits;
      mask = (std::uint64_t{1} << bits) - 1;
      std::fill_n(starts.begin(), mask + 2, 0u);
    }
    void count(std::uint64_t key) { ++starts[(key >> shift & mask) + 1]; }
    void sum() {
      std::uint32_t total = 0;
      largest = 0;
      for (std::uint64_t d = 1; d <= mask + 1; ++d) {
        largest = std::max(largest, starts[d]);
        starts[d] = total += starts[d];
      }
    }
    /// The place of the next record of this key's bin. After all records, starts[d] is the end of
    /// bin d.
    std::uint64_t next(std::uint64_t key) { return starts[key >> shift & mask]++; }
  };

  template <class KeyAt>
  void fetch_keys(const std::vector<Group>& groups, const KeyAt& key_at) {
    constexpr std::uint64_t ahead = sa_tuning::keys_ahead;
    fetches_.clear();
    for (const Group& group : groups) {
      for (std::uint64_t i = group.begin; i < group.end; ++i)
        fetches_.push_back({records_.data() + i, group.depth});
    }
    const std::uint64_t count = fetches_.size();
    const std::uint64_t last = count - 1;
    for (std::uint64_t i = 0; i < std::min(2 * ahead, count); ++i)
      key_at.prefetch(fetches_[i].record->position(), fetches_[i].depth);
    for (std::uint64_t i = 0; i < std::min(ahead, count); ++i)
      key_at.prefetch_last(fetches_[i].record->position(), fetches_[i].depth);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Fetch& first = fetches_[std::min(i + 2 * ahead, last)];
      key_at.prefetch(first.record->position(), first.depth);
      const Fetch& second = fetches_[std::min(i + ahead, last)];
      key_at.prefetch_last(second.record->position(), second.depth);
      const Fetch& now = fetches_[i];
      now.record->key = key_at(now.record->position(), now.depth);
    }
  }

  template <class OnTie>
  void find_ties(const Group& group, const OnTie& on_tie) {
    SuffixRecord* records = records_.data();
    for (std::uint64_t i = group.begin + 1; i < group.end; ++i) {
      if (records[i].key != records[i - 1].key) continue;
      const std::uint64_t first = i - 1;
      while (i + 1 < group.end && records[i + 1].key == records[first].key)
        ++i;
      const std::uint64_t action =
          on_tie(first + group.row_offset, i + 1 + group.row_offset, records[first]);
      if (action == order_by_position) {
        std::sort(records + first, records + i + 1, [](const auto& left, const auto& right) {
          return left.position() < right.position();
        });
      } else if (action != keep_order) {
        groups_.push_back({first, i + 1, group.row_offset, action});
      }
    }
  }

  static void insertion_sort(SuffixRecord* records, std::uint64_t count) {
    for (std::uint64_t i = 1; i < count; ++i) {
      const SuffixRecord moved = records[i];
      std::uint64_t j = i;
      for (; j > 0 && records[j - 1].key > moved.key; --j)
        records[j] = records[j - 1];
      records[j] = moved;
    }
  }

  static void sort_keys(SuffixRecord* records, SuffixRecord* other, std::uint64_t count) {
    if (count > sa_tuning::insertion_limit) return radix_sort(records, other, count);
    if (count > 2) return insertion_sort(records, count);
    // Most groups are pairs, and a branch on their order would be mispredicted half the time.
    const SuffixRecord first = records[0], second = records[1];
    const bool swaps = second.key < first.key;
    records[0] = swaps ? second : first;
    records[1] = swaps ? first : second;
  }

  /// Sorts `records`; `other` is scratch space of the same size. Each level starts at the highest
  /// bit in which any two records differ, so a shared prefix costs only one pass.
  static void radix_sort(SuffixRecord* records, SuffixRecord* other, std::uint64_t count) {
    std::uint64_t different = 0;
    for (std::uint64_t i = 1; i < count; ++i)
      different |= records[i].key ^ records[0].key;
    if (different == 0) return;
    Bins bins;
    // One bin per record: more bins would cost more to clear and to scan than they save.
    bins.shape(bit_length(count) - 1, bit_length(different));
    for (std::uint64_t i = 0; i < count; ++i)
      bins.count(records[i].key);
    bins.sum();
    for (std::uint64_t i = 0; i < count; ++i)
      other[bins.next(records[i].key)] = records[i];
    std::copy_n(other, count, records);
    sort_bins(bins, records, other, count);
  }

  static void sort_bins(const Bins& bins, SuffixRecord* records, SuffixRecord* other,
                        std::uint64_t count) {
    if (bins.shift == 0) return;
    std::uint32_t begin = 0;
    for (std::uint64_t d = 0; d <= bins.mask && bins.largest > sa_tuning::insertion_limit; ++d) {
      const std::uint32_t size = bins.starts[d] - begin;
      if (size > sa_tuning::insertion_limit) radix_sort(records + begin, other + begin, size);
      begin = bins.starts[d];
    }
    // One insertion sort serves all small bins: no record leaves its bin, and most hardly move.
    insertion_sort(records, count);
  }

  Buffer<SuffixRecord> records_;
  Buffer<SuffixRecord> other_;
  std::vector<Group> groups_;
  std::vector<Fetch> fetches_;
};

}  // namespace gsx
