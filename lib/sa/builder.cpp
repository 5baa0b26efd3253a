#include "sa/builder.hpp"

#include <algorithm>
#include <array>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "sa/group_sorter.hpp"
#include "sa/inducer.hpp"
#include "sa/prefix_buckets.hpp"
#include "sa/row_marks.hpp"
#include "sa/sample_ranks.hpp"
#include "sa/suffix_key.hpp"
#include "sa/text_ties.hpp"

namespace gsx {
namespace {

/// Groups of suffixes that agree on more symbols than samples ask for go on fetching keys while all
/// of them together have needed fewer than this many fetches a symbol of the text, which is what
/// ranking samples takes.
constexpr double fetches_per_symbol = 0.4;
/// Fewer keys than this at a time are not worth another pass over the tied rows.
constexpr std::uint64_t least_keys = 4;
/// Slices of rows a thread: small enough to balance, large enough not to show.
constexpr std::uint64_t slices_per_thread = 64;

template <class Pos>
class Builder {
 public:
  Builder(const TextView& text, int threads, const ProgressReport& progress)
      : text_(text),
        keys_(text),
        progress_(progress),
        length_(text.length()),
        preceding_(text.symbols),
        sorter_(threads),
        rows_(length_, "suffix array"),
        before_(length_, "BWT") {}

  SuffixOrder run() {
    Stopwatch watch;
    const PrefixBuckets buckets = distribute_ascents();
    log().debug("suffix array: distributed in {:.3f} s", watch.lap());
    sort_ascents(buckets);
    watch.lap();
    Inducer<Pos>(text_, pair_rows(buckets), rows_.data(), before_.data(), sorter_.threads()).run();
    log().debug("suffix array: induced in {:.3f} s", watch.lap());
    return {SuffixArray(std::move(rows_)), std::move(before_)};
  }

 private:
  void report(int thread, const char* stage, std::uint64_t rows) const {
    if (thread == 0 && progress_) {
      progress_(stage, static_cast<double>(rows) / static_cast<double>(length_));
    }
  }

  /// Makes room for all suffixes by their leading bits, and puts those there whose first symbol is
  /// below the second; the others are induced from them. A separator's slot reads as code 0, so
  /// both symbols are always the segment's own.
  PrefixBuckets distribute_ascents() {
    const std::uint32_t symbol_bits = text_.symbols.bits;
    const int bits = PrefixBuckets::bits_for_length(length_, symbol_bits);
    return distribute(
        length_, bits, text_.segments.count, rows_.data(), sorter_.threads(),
        [&](Slice slice, const auto& visit) { for_each_prefix(keys_, bits, slice, visit); },
        [&](Slice slice, const auto& visit) { for_each_ascent(bits, slice, visit); });
  }

  /// for_each_prefix where the first symbol is below the second. As that is not foreseeable, it is
  /// not branched upon: those that ascend are listed first.
  template <class Visit>
  void for_each_ascent(int bits, Slice slice, const Visit& visit) const {
    constexpr std::size_t listed = 1024;
    std::array<std::pair<std::uint64_t, std::uint64_t>, listed> list;
    std::size_t size = 0;
    const int pair_shift = bits - 2 * static_cast<int>(text_.symbols.bits);
    const auto visit_list = [&] {
      for (std::size_t i = 0; i < size; ++i)
        visit(list[i].first, list[i].second);
      size = 0;
    };
    for_each_prefix(keys_, bits, slice, [&](std::uint64_t p, std::uint64_t prefix) {
      list[size] = {p, prefix};
      size += ascends(prefix >> pair_shift) ? 1 : 0;
      if (size == listed) [[unlikely]]
        visit_list();
    });
    visit_list();
  }

  bool ascends(std::uint64_t pair) const {
    const std::uint32_t bits = text_.symbols.bits;
    return pair >> bits < (pair & ((1u << bits) - 1));
  }

  bool has_ascents(const PrefixBuckets& buckets, std::uint64_t bucket) const {
    return ascends(bucket >> (buckets.bits - 2 * static_cast<int>(text_.symbols.bits)));
  }

  PairRows pair_rows(const PrefixBuckets& buckets) const {
    PairRows pairs{text_.symbols.bits, {}};
    const int shift = buckets.bits - 2 * static_cast<int>(pairs.bits);
    for (std::uint64_t b = 0; b <= buckets.count(); b += std::uint64_t{1} << shift)
      pairs.starts.push_back(buckets.starts[b]);
    return pairs;
  }

  void sort_ascents(const PrefixBuckets& buckets) {
    const RowMarks tied = sort_buckets(buckets);
    sort_tied(tied);
    Stopwatch watch;
    const std::uint64_t slices = static_cast<std::uint64_t>(sorter_.threads()) * slices_per_thread;
    parallel_for(sorter_.threads(), slices, [&](std::uint64_t s, int) {
      tied.for_each_row(slice_of(length_, slices, s, 64),
                        [&](std::uint64_t row) { before_[row] = preceding_.at(rows_[row]); });
    });
    parallel_for(sorter_.threads(), buckets.count(), [&](std::uint64_t b, int) {
      const std::uint64_t begin = buckets.starts[b], end = buckets.starts[b + 1];
      if (end - begin > GroupSorter<Pos>::wide_limit && has_ascents(buckets, b)) {
        fill_preceding(begin, end);
      }
    });
    log().debug("suffix array: preceding symbols of ties in {:.3f} s", watch.lap());
  }

  void fill_preceding(std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row)
      before_[row] = preceding_.at(rows_[row]);
  }

  RowMarks sort_buckets(const PrefixBuckets& buckets) {
    Stopwatch watch;
    const SampleRule rule(text_);
    RowMarks tied(length_);
    sorter_.sort(
        rows_.data(), buckets.count(),
        [&](std::uint64_t b, int thread, const auto& sort) {
          const std::uint64_t begin = buckets.starts[b], end = buckets.starts[b + 1];
          if (begin == end || !has_ascents(buckets, b)) return;
          sort(begin, end, buckets.depth(b, text_.symbols.bits));
          // The bucket's text is in the cache now; what is not settled yet is done again later.
          fill_preceding(begin, end);
          report(thread, "sorting suffixes", end);
        },
        TextKey{keys_}, text_tie(keys_, rows_.data(), rule.depth(), tied));
    log().debug("suffix array: sorted buckets in {:.3f} s", watch.lap());
    return tied;
  }

  void sort_tied(const RowMarks& first_tied) {
    Stopwatch watch;
    RowMarks later(0);
    const RowMarks* tied = &first_tied;
    std::uint64_t depth = SampleRule(text_).depth();
    double budget = fetches_per_symbol * static_cast<double>(length_);
    for (std::uint64_t keys = least_keys;; keys *= 2) {
      const std::uint64_t left = tied->count(sorter_.threads());
      log().debug("suffix array: sorted {} symbols deep in {:.3f} s, {} rows tied", depth,
                  watch.lap(), left);
      if (left == 0) return;
      const auto afford = static_cast<std::uint64_t>(budget / static_cast<double>(left));
      if (afford < least_keys) break;
      keys = std::min(keys, afford);
      budget -= static_cast<double>(keys * left);
      later = refine(*tied, depth, depth + keys * keys_.symbols);
      tied = &later;
      depth += keys * keys_.symbols;
    }
    const SampleRanks<Pos> samples(text_, sorter_);
    log().debug("suffix array: {} samples ranked in {:.3f} s", samples.size(), watch.lap());
    sort_groups(*tied, 0, samples.key(),
                [](std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {
                  return GroupSorter<Pos>::settled;
                });
    log().debug("suffix array: sorted by samples in {:.3f} s", watch.lap());
  }

  /// Sorts groups that agree on `depth` symbols by further keys; those that agree on `limit`
  /// symbols are what is left.
  RowMarks refine(const RowMarks& tied, std::uint64_t depth, std::uint64_t limit) {
    RowMarks left(length_);
    sort_groups(tied, depth, TextKey{keys_}, text_tie(keys_, rows_.data(), limit, left));
    return left;
  }

  template <class KeyAt, class OnTie>
  void sort_groups(const RowMarks& tied, std::uint64_t depth, const KeyAt& key_at,
                   const OnTie& on_tie) {
    const std::uint64_t slices = static_cast<std::uint64_t>(sorter_.threads()) * slices_per_thread;
    sorter_.sort(
        rows_.data(), slices,
        [&](std::uint64_t s, int thread, const auto& sort) {
          const auto on_group = [&](std::uint64_t begin, std::uint64_t end) {
            sort(begin, end, depth);
          };
          const Slice slice = slice_of(length_, slices, s, 64);
          tied.for_each_group(slice, on_group);
          report(thread, "sorting repeats", slice.end);
        },
        key_at, on_tie);
  }

  TextView text_;
  SuffixKeys keys_;
  const ProgressReport& progress_;
  std::uint64_t length_;
  Preceding preceding_;
  GroupSorter<Pos> sorter_;
  Buffer<Pos> rows_;
  Buffer<std::uint8_t> before_;  ///< what precedes each row's suffix; in the end the BWT
};

}  // namespace

SuffixOrder build_suffix_order(const TextView& text, int threads, PositionWidth width,
                               const ProgressReport& progress) {
  if (is_wide(text.length(), width)) return Builder<std::uint64_t>(text, threads, progress).run();
  return Builder<std::uint32_t>(text, threads, progress).run();
}

SuffixArray build_suffix_array(const TextView& text, int threads, PositionWidth width,
                               const ProgressReport& progress) {
  return build_suffix_order(text, threads, width, progress).rows;
}

std::uint64_t suffix_array_bytes(std::uint64_t length, int threads, PositionWidth width) {
  const std::uint64_t entry = is_wide(length, width) ? 8 : 4;
  // The worst are short periods, where half of all positions are samples.
  return (2 * entry + 2) * length +
         static_cast<std::uint64_t>(threads) *
             (RangeSorter<std::uint64_t>::bytes + (std::uint64_t{3} << 19));
}

}  // namespace gsx
