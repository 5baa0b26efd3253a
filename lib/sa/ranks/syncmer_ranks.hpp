// Exact ranks of a sparse sample of suffixes, by which suffixes that agree on long stretches are
// compared.
#pragma once

#include <cstdint>

#include "base/buffer.hpp"
#include "base/parallel.hpp"
#include "sa/groups/group_sorter.hpp"
#include "sa/groups/prefix_buckets.hpp"
#include "sa/groups/text_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/ranks/rank_bit_vector.hpp"
#include "sa/ranks/syncmer_rule.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {

/// The samples of a text in suffix order. They are first sorted by keys from the text; then, as
/// samples that agree on rule.depth() symbols are followed by their next samples at the same
/// distance, the rank of the sample h further on orders those that agree up to there (prefix
/// doubling: Manber and Myers, 1993; Larsson and Sadakane, 2007), with one rank for about 16
/// positions.
/// Memory: an entry a sample while ranking; 1.33 bits a position.
template <class Pos>
class SyncmerRanks {
 public:
  /// room(size) gives a place for so many ranks, which must live as long as this.
  template <class Room>
  SyncmerRanks(const TextView& text, GroupSorter<Pos>& sorter, const Room& room)
      : keys_(text),
        rule_(text),
        sorter_(sorter),
        threads_(sorter.threads()),
        marks_(mark()),
        size_(marks_.count()),
        ranks_(room(size_)) {
    order_ = Buffer<Pos>(size_, "samples");
    TieBits tied(order_.size());
    sort_by_text(tied);
    double_ranks(std::move(tied));
    order_ = {};
  }

  std::uint64_t size() const { return size_; }

  /// A key of GroupSorter: the rank of the first sample in a suffix, which orders suffixes that
  /// agree on SyncmerRule::depth() symbols. Cost: two cache lines.
  struct Key {
    const SyncmerRanks* samples;

    std::uint64_t operator()(std::uint64_t p, std::uint64_t) const {
      return samples->ranks_[samples->marks_.rank(p)];
    }
    void prefetch(std::uint64_t p, std::uint64_t) const { samples->marks_.prefetch(p); }
    void prefetch_last(std::uint64_t p, std::uint64_t) const {
      __builtin_prefetch(&samples->ranks_[samples->marks_.rank(p)]);
    }
  };
  Key key() const { return {this}; }

 private:
  /// A key of GroupSorter: the rank of the sample `distance` further on.
  struct RankKey {
    const Pos* ranks;

    std::uint64_t operator()(std::uint64_t sample, std::uint64_t distance) const {
      return ranks[sample + distance];
    }
    void prefetch(std::uint64_t sample, std::uint64_t distance) const {
      __builtin_prefetch(ranks + sample + distance);
    }
    void prefetch_last(std::uint64_t, std::uint64_t) const {}
  };

  static constexpr std::uint64_t slices_per_thread = 64;

  std::uint64_t slices() const { return static_cast<std::uint64_t>(threads_) * slices_per_thread; }

  RankBitVector mark() const {
    const std::uint64_t n = keys_.text.length();
    RankBitVector marks(n);
    parallel_for(threads_, slices(), [&](std::uint64_t s, int) {
      const Slice slice = slice_of(n, slices(), s, RankBitVector::slice_unit);
      rule_.for_each(slice.begin, slice.end, [&](std::uint64_t p) { marks.mark(p); });
    });
    return marks;
  }

  /// order_ = the samples' numbers in text order, sorted by as much text as the rule asks for.
  void sort_by_text(TieBits& tied) {
    const std::uint64_t n = keys_.text.length();
    const std::uint32_t symbol_bits = keys_.text.symbols.bits;
    const int bits = PrefixBuckets::bits_for_length(order_.size(), symbol_bits);
    const auto for_each_sample = [&](Slice slice, const auto& visit) {
      marks_.for_each(slice.begin, slice.end, [&](std::uint64_t p) {
        // A sample is followed by more symbols than a prefix has.
        visit(p, keys_.text.symbols.window(p) >> (64 - bits));
      });
    };
    const PrefixBuckets buckets =
        distribute(n, bits, 0, order_.data(), threads_, for_each_sample, for_each_sample);
    sorter_.sort(
        order_.data(), buckets.count(),
        [&](std::uint64_t b, int, const auto& sort) {
          if (buckets.starts[b] < buckets.starts[b + 1]) {
            sort(buckets.starts[b], buckets.starts[b + 1], bits / static_cast<int>(symbol_bits));
          }
        },
        TextKey{keys_}, text_tie(keys_, rule_.depth(), tied));
    parallel_for(threads_, slices(), [&](std::uint64_t s, int) {
      const Slice slice = slice_of(order_.size(), slices(), s);
      for (std::uint64_t i = slice.begin; i < slice.end; ++i)
        order_[i] = static_cast<Pos>(marks_.rank(order_[i]));
    });
  }

  /// ranks_[sample] = head of the group of rows in order_ that holds it, for the rows chosen by
  /// `for_rows`.
  template <class ForRows>
  void write_ranks(const TieBits& tied, const ForRows& for_rows) {
    parallel_for(threads_, slices(), [&](std::uint64_t s, int) {
      const Slice slice = slice_of(order_.size(), slices(), s, 64);
      if (slice.begin == slice.end) return;
      std::uint64_t head = tied.head_of(slice.begin);
      for_rows(slice, [&](std::uint64_t row) {
        if (!tied.tied(row)) head = row;
        ranks_[order_[row]] = static_cast<Pos>(head);
      });
    });
  }

  /// Tied samples agree up to the h-th sample behind them, so the ranks of these order them up to
  /// the 2h-th. Ranks are read by all groups before any is changed; else two members of one group
  /// could be judged by ranks of different rounds.
  void double_ranks(TieBits tied) {
    write_ranks(tied, [](Slice slice, auto&& on_row) {
      for (std::uint64_t row = slice.begin; row < slice.end; ++row)
        on_row(row);
    });
    TieBits next(order_.size());
    for (std::uint64_t h = 1; tied.count(threads_) != 0; h *= 2) {
      next.clear();
      sorter_.sort(
          order_.data(), slices(),
          [&](std::uint64_t s, int, const auto& sort) {
            tied.for_each_group(
                slice_of(order_.size(), slices(), s, 64),
                [&](std::uint64_t begin, std::uint64_t end) { sort(begin, end, h); });
          },
          RankKey{ranks_},
          [&](std::uint64_t begin, std::uint64_t end, std::uint64_t, std::uint64_t) {
            next.mark_group(begin, end);
            return keep_order;
          });
      write_ranks(next, [&](Slice slice, auto&& on_row) { tied.for_each_row(slice, on_row); });
      std::swap(tied, next);
    }
  }

  SuffixKeys keys_;
  SyncmerRule rule_;
  GroupSorter<Pos>& sorter_;
  int threads_;
  RankBitVector marks_;
  std::uint64_t size_;
  Pos* ranks_;
  Buffer<Pos> order_;
};

}  // namespace gsx
