#include "sa/builder.hpp"

#include <algorithm>

#include "sa/bstar/bigram_buckets.hpp"
#include "sa/bstar/bstar_sorter.hpp"
#include "sa/bstar/induced_sorter.hpp"
#include "sa/groups/group_sorter.hpp"
#include "sa/groups/tie_bits.hpp"
#include "sa/groups/tied_groups.hpp"
#include "sa/ranks/bstar_ranks.hpp"
#include "sa/ranks/syncmer_ranks.hpp"
#include "sa/stage_log.hpp"
#include "sa/suffix_key.hpp"

namespace gsx {
namespace {

template <class Pos>
class Builder {
 public:
  Builder(const TextView& text, int threads, const ProgressReport& progress)
      : text_(text),
        keys_(text),
        progress_(progress),
        length_(text.length()),
        sorter_(threads),
        sa_(length_, "suffix array"),
        bwt_(length_, "BWT"),
        high_(has_wide_contexts(text.symbols) ? length_ : 0, "left contexts") {}

  SaAndBwt run() {
    const BigramBuckets buckets = BigramBuckets::of(text_, sorter_.threads());
    sort_bstar_suffixes(buckets);
    Stopwatch watch;
    induce_suffix_array(text_, buckets, arrays(), sorter_.threads());
    log_stage(watch, "induced");
    return {SuffixArray(std::move(sa_)), std::move(bwt_)};
  }

 private:
  InductionArrays<Pos> arrays() {
    return {sa_.data(), bwt_.data(), high_.size() == 0 ? nullptr : high_.data()};
  }

  void sort_bstar_suffixes(const BigramBuckets& buckets) {
    Stopwatch watch;
    BStarSorter<Pos> bstars(text_, buckets, sorter_);
    log_stage(watch, std::to_string(bstars.size()) + " of " + std::to_string(length_) +
                         " suffixes are B*, counted");
    TieBits ties(bstars.size());
    sort_by_text(bstars, ties);
    log_stage(watch, "sorted buckets");
    sort_ties(bstars, ties);
    watch.lap();
    bstars.forget_contexts(ties);
    sorter_.release();
    place_bstar_suffixes(text_, buckets, bstars.bigrams(), bstars.suffixes(), arrays(),
                         sorter_.threads());
    log_stage(watch, "placed");
  }

  /// The memory of the suffix array is still free and has room to sort a third of all suffixes in.
  void sort_by_text(BStarSorter<Pos>& bstars, TieBits& ties) {
    const std::uint64_t limit = SyncmerRule(text_).depth();
    const std::uint64_t begin = length_ - bstars.size();
    std::uint8_t* low = bwt_.data() + begin;
    std::uint8_t* high = high_.size() == 0 ? nullptr : high_.data() + begin;
    const bool fits = 3 * bstars.size() <= length_;
    {
      Buffer<StoredBStar<Pos>> room(fits ? 0 : bstars.size(), "sorting");
      auto* stored = fits ? reinterpret_cast<StoredBStar<Pos>*>(sa_.data()) : room.data();
      bstars.sort_buckets(stored, low, high, limit, ties, progress_);
    }
    bstars.sort_large(limit, ties);
  }

  void sort_ties(BStarSorter<Pos>& bstars, const TieBits& ties) {
    TiedGroups<Pos> groups(keys_, sorter_, bstars.suffixes(), bstars.size(), ties,
                           SyncmerRule(text_).depth(), progress_);
    Stopwatch watch;
    log_stage(watch, std::to_string(groups.count()) + " rows tied at depth " +
                         std::to_string(groups.depth()) + ", counted");
    groups.refine_within(sa_tuning::keys_per_symbol * static_cast<double>(length_));
    if (!groups.empty() && try_bstar_ranks(groups)) sort_by_bstar_ranks(groups);
    if (!groups.empty()) sort_by_syncmer_ranks(groups);
  }

  /// Ranks of B* suffixes exist already, while syncmers are fewer but must be sorted first. That
  /// pays at once when so many suffixes are tied that they must belong to long repeats; but not in
  /// a periodic text, where few groups hold most of the ties (TandemSorter).
  bool try_bstar_ranks(const TiedGroups<Pos>& groups) const {
    return groups.count() * sa_tuning::syncmers_first <= length_ ||
           groups.largest() > groups.count() / sa_tuning::few_groups;
  }

  void sort_by_bstar_ranks(TiedGroups<Pos>& groups) {
    Stopwatch watch;
    sorter_.release();  // ranks take the memory that splitting took
    const std::uint64_t few = may_rank_syncmers(groups.size(), length_)
                                  ? length_ / sa_tuning::syncmers_never
                                  : groups.size();
    // The memory of the suffix array is still free.
    BStarRanks<Pos>(text_, sorter_, groups.suffixes(), groups.size(), sa_.data()).sort(groups, few);
    log_stage(watch, "sorted by B* suffixes, " + std::to_string(groups.count()) + " rows tied,");
  }

  void sort_by_syncmer_ranks(TiedGroups<Pos>& groups) {
    Stopwatch watch;
    const SyncmerRanks<Pos> ranks(text_, sorter_, [&](std::uint64_t) { return sa_.data(); });
    log_stage(watch, std::to_string(ranks.size()) + " syncmers ranked");
    ranks.sort(groups, progress_);
    log_stage(watch, "sorted by syncmers");
  }

  TextView text_;
  SuffixKeys keys_;
  const ProgressReport& progress_;
  std::uint64_t length_;
  GroupSorter<Pos> sorter_;
  Buffer<Pos> sa_;             ///< until B* suffixes are placed, memory for whatever needs it
  Buffer<std::uint8_t> bwt_;   ///< until the end, low bytes of left contexts
  Buffer<std::uint8_t> high_;  ///< high bytes of left contexts, if these are wide
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
