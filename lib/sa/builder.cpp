#include "sa/builder.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "machine/resources.hpp"
#include "sa/bstar/bigram_buckets.hpp"
#include "sa/bstar/bstar_sorter.hpp"
#include "sa/bstar/induced_sorter.hpp"
#include "sa/groups/group_sorter.hpp"
#include "sa/groups/text_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/ranks/bstar_ranks.hpp"
#include "sa/ranks/syncmer_ranks.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {
namespace {

/// Groups of suffixes that agree on more symbols than samples ask for go on fetching keys while all
/// of them together have needed fewer than this many fetches a symbol of the text, which is what
/// ranking samples takes.
constexpr double fetches_per_symbol = 0.4;
/// Samples are fewer than B* suffixes, but have to be sorted first. With more tied rows than one in
/// so many symbols that pays before the first round of sorting by B* suffixes, as many rows mean
/// long repeats; with fewer than the second number it never does. Nor in periodic texts, in which
/// hardly more groups than the third are tied, each with its own kind (TandemSorter).
constexpr std::uint64_t many_rows = 4;
constexpr std::uint64_t few_rows = 64;
constexpr std::uint64_t few_groups = 16;
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
        sorter_(threads),
        rows_(length_, "suffix array"),
        bwt_(length_, "BWT"),
        high_(has_wide_contexts(text.symbols) ? length_ : 0, "preceding symbols") {}

  SaAndBwt run() {
    Stopwatch watch;
    InducedSorter<Pos> inducer(text_, BigramBuckets::of(text_, sorter_.threads()), rows_.data(),
                               bwt_.data(), high_.data(), sorter_.threads());
    sort_stars(inducer);
    watch.lap();
    if (progress_) progress_("inducing suffixes", -1);
    inducer.run();
    log().debug("suffix array: induced in {:.3f} s", watch.lap());
    return {SuffixArray(std::move(rows_)), std::move(bwt_)};
  }

 private:
  void report(int thread, const char* stage, std::uint64_t rows, std::uint64_t all) const {
    if (thread == 0 && progress_)
      progress_(stage, static_cast<double>(rows) / static_cast<double>(all));
  }

  void sort_stars(InducedSorter<Pos>& inducer) {
    Stopwatch watch;
    BStarSorter<Pos> stars(text_, inducer.pairs(), sorter_);
    log().debug("suffix array: {} of {} suffixes to sort, counted in {:.3f} s", stars.size(),
                length_, watch.lap());
    TieBits tied(stars.size());
    sort_by_text(stars, tied);
    log().debug("suffix array: sorted buckets in {:.3f} s", watch.lap());
    sort_tied(tied, stars.order(), stars.size());
    watch.lap();
    stars.forget_before(tied);
    sorter_.release();
    inducer.place(stars.pairs(), stars.order());
    log().debug("suffix array: placed in {:.3f} s", watch.lap());
  }

  /// The suffix array is not needed yet, and has room for a third of all suffixes.
  void sort_by_text(BStarSorter<Pos>& stars, TieBits& tied) {
    const std::uint64_t limit = SyncmerRule(text_).depth();
    const std::uint64_t begin = length_ - stars.size();
    std::uint8_t* low = bwt_.data() + begin;
    std::uint8_t* high = high_.size() == 0 ? nullptr : high_.data() + begin;
    const bool fits = 3 * stars.size() <= length_;
    {
      Buffer<StoredBStar<Pos>> room(fits ? 0 : stars.size(), "sorting");
      auto* stored = fits ? reinterpret_cast<StoredBStar<Pos>*>(rows_.data()) : room.data();
      stars.sort_buckets(stored, low, high, limit, tied, progress_);
    }
    stars.sort_large(limit, tied);
  }

  void sort_tied(const TieBits& first_tied, Pos* rows, std::uint64_t size) {
    Stopwatch watch;
    TieBits later(0);
    const TieBits* tied = &first_tied;
    std::uint64_t depth = SyncmerRule(text_).depth(), left = 0;
    double budget = fetches_per_symbol * static_cast<double>(length_);
    for (std::uint64_t keys = least_keys;; keys *= 2) {
      left = tied->count(sorter_.threads());
      log().debug("suffix array: sorted {} symbols deep in {:.3f} s, {} rows tied", depth,
                  watch.lap(), left);
      if (left == 0) return;
      const auto afford = static_cast<std::uint64_t>(budget / static_cast<double>(left));
      if (afford < least_keys) break;
      keys = std::min(keys, afford);
      budget -= static_cast<double>(keys * left);
      later = refine(*tied, rows, size, depth, depth + keys * keys_.symbols);
      tied = &later;
      depth += keys * keys_.symbols;
    }
    if (left * many_rows <= length_ || largest_group(*tied, size) > left / few_groups) {
      sorter_.release();  // what splitting took is not needed where ranks are
      later = sort_by_stars(*tied, rows, size, depth);
      tied = &later;
      left = tied->count(sorter_.threads());
      log().debug("suffix array: sorted by B* suffixes in {:.3f} s, {} rows tied", watch.lap(),
                  left);
      if (left == 0) return;
    }
    // The suffix array is still not needed.
    const SyncmerRanks<Pos> samples(text_, sorter_, [&](std::uint64_t) { return rows_.data(); });
    log().debug("suffix array: {} samples ranked in {:.3f} s", samples.size(), watch.lap());
    sort_groups(
        *tied, rows, size, 0, samples.key(),
        [](std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) { return keep_order; });
    log().debug("suffix array: sorted by samples in {:.3f} s", watch.lap());
  }

  std::uint64_t largest_group(const TieBits& tied, std::uint64_t size) const {
    std::uint64_t largest = 0;
    tied.for_each_group({0, size}, [&](std::uint64_t begin, std::uint64_t end) {
      largest = std::max(largest, end - begin);
    });
    return largest;
  }

  /// Sorts groups that agree on `depth` symbols by the ranks of further B* suffixes; gives what is
  /// left when ranking samples takes less.
  TieBits sort_by_stars(const TieBits& tied, Pos* rows, std::uint64_t size, std::uint64_t depth) {
    BStarRanks<Pos> stars(text_, sorter_, rows, size, rows_.data());
    TieBits ready(size);
    TieBits waiting = stars.find_reaches(tied, depth, ready);
    // In long runs of a symbol, or slopes, the next B* suffix is far; there are few of these.
    for (; waiting.count(sorter_.threads()) != 0; depth *= 2) {
      waiting = stars.find_reaches(refine(waiting, rows, size, depth, 2 * depth), 2 * depth, ready);
    }
    const std::uint64_t few = may_rank_syncmers(size, length_) ? length_ / few_rows : size;
    return stars.sort(std::move(ready), few);
  }

  /// Sorts groups that agree on `depth` symbols by further keys; those that agree on `limit`
  /// symbols are what is left.
  TieBits refine(const TieBits& tied, Pos* rows, std::uint64_t size, std::uint64_t depth,
                 std::uint64_t limit) {
    TieBits left(size);
    sort_groups(tied, rows, size, depth, TextKey{keys_}, text_tie(keys_, limit, left));
    return left;
  }

  template <class KeyAt, class OnTie>
  void sort_groups(const TieBits& tied, Pos* rows, std::uint64_t size, std::uint64_t depth,
                   const KeyAt& key_at, const OnTie& on_tie) {
    const std::uint64_t slices = static_cast<std::uint64_t>(sorter_.threads()) * slices_per_thread;
    sorter_.sort(
        rows, slices,
        [&](std::uint64_t s, int thread, const auto& sort) {
          const auto on_group = [&](std::uint64_t begin, std::uint64_t end) {
            sort(begin, end, depth);
          };
          const Slice slice = slice_of(size, slices, s, 64);
          tied.for_each_group(slice, on_group);
          report(thread, "sorting repeats", slice.end, size);
        },
        key_at, on_tie);
  }

  TextView text_;
  SuffixKeys keys_;
  const ProgressReport& progress_;
  std::uint64_t length_;
  GroupSorter<Pos> sorter_;
  Buffer<Pos> rows_;
  Buffer<std::uint8_t> bwt_;  ///< before that, what precedes suffixes (LeftContextArray)
  Buffer<std::uint8_t> high_;
};

}  // namespace

SaAndBwt build_sa_and_bwt(const TextView& text, int threads, PositionWidth width,
                          const ProgressReport& progress) {
  if (is_wide(text.length(), width)) return Builder<std::uint64_t>(text, threads, progress).run();
  return Builder<std::uint32_t>(text, threads, progress).run();
}

SuffixArray build_suffix_array(const TextView& text, int threads, PositionWidth width,
                               const ProgressReport& progress) {
  return build_sa_and_bwt(text, threads, width, progress).sa;
}

}  // namespace gsx
