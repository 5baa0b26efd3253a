#include "index/sa/builder.hpp"

#include <algorithm>

#include "index/sa/bstar/bigram_buckets.hpp"
#include "index/sa/bstar/bstar_sorter.hpp"
#include "index/sa/bstar/induced_sorter.hpp"
#include "index/sa/groups/group_sorter.hpp"
#include "index/sa/groups/tie_bits.hpp"
#include "index/sa/groups/tied_groups.hpp"
#include "index/sa/phrases/phrase_sorter.hpp"
#include "index/sa/phrases/repeated_share.hpp"
#include "index/sa/ranks/bstar_ranks.hpp"
#include "index/sa/ranks/syncmer_ranks.hpp"
#include "index/sa/stage_log.hpp"
#include "index/sa/suffix_key.hpp"

namespace gsx {
namespace {

template <class Pos>
class Builder {
 public:
  Builder(const TextView& text, int threads, const ProgressReport& progress, bool with_phrases)
      : text_(text),
        with_phrases_(with_phrases),
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

  /// Where the left contexts of sorted B* suffixes wait to be placed.
  std::uint8_t* low_contexts(const BStarSorter<Pos>& bstars) {
    return bwt_.data() + length_ - bstars.size();
  }
  std::uint8_t* high_contexts(const BStarSorter<Pos>& bstars) {
    return high_.size() == 0 ? nullptr : high_.data() + length_ - bstars.size();
  }

  void sort_bstar_suffixes(const BigramBuckets& buckets) {
    Stopwatch watch;
    BStarSorter<Pos> bstars(text_, buckets, sorter_);
    log_stage(watch, std::to_string(bstars.size()) + " of " + std::to_string(length_) +
                         " suffixes are B*, counted");
    TieBits ties(bstars.size());
    if (!sort_by_phrases(buckets, bstars, ties)) {
      sort_by_text(bstars, low_contexts(bstars), high_contexts(bstars), SyncmerRule(text_).depth(),
                   ties);
      log_stage(watch, "sorted buckets");
    }
    sort_ties(bstars, ties);
    watch.lap();
    bstars.forget_contexts(ties);
    sorter_.release();
    place_bstar_suffixes(text_, buckets, bstars.bigrams(), bstars.suffixes(), arrays(),
                         sorter_.threads());
    log_stage(watch, "placed");
  }

  /// Where most B* suffixes agree with others on long stretches, sorts all but a few ties.
  bool sort_by_phrases(const BigramBuckets& buckets, BStarSorter<Pos>& bstars, TieBits& ties) {
    if (!with_phrases_ || !may_rank_syncmers(bstars.size(), length_)) return false;
    Stopwatch watch;
    const double share = repeated_share(text_, bstars.size(), bstars.sample());
    const std::uint32_t window = sa_tuning::phrase_window(text_.symbols.bits);
    if (share < sa_tuning::least_repeated_share ||
        PhraseParse<Pos>::density(text_, window) > sa_tuning::most_phrase_density)
      return false;
    PhraseSorter<Pos> sorter(text_, {window, 64, false}, sorter_);
    const bool pays = sorter.find_phrases();
    log_stage(watch, std::to_string(sorter.parse().size()) + " phrases found, first copies have " +
                         std::to_string(sorter.dictionary_length()) + " symbols,");
    if (!pays) return false;
    sorter.sort_phrases();
    log_stage(watch, "sorted phrases");
    copy_from_phrases(buckets, sorter, bstars, ties);
    log_stage(watch, "copied suffixes");
    return true;
  }

  /// The left contexts of the dictionary stay at the start of their memory, of which at most half
  /// holds those of all B* suffixes, at the end.
  void copy_from_phrases(const BigramBuckets& buckets, const PhraseSorter<Pos>& phrases,
                         BStarSorter<Pos>& bstars, TieBits& ties) {
    Stopwatch watch;
    BStarSorter<Pos> first(text_, phrases.dictionary(), buckets, sorter_);
    TieBits classes(first.size());
    std::uint8_t* const low = bwt_.data();
    std::uint8_t* const high = high_.size() == 0 ? nullptr : high_.data();
    sort_by_text(first, low, high, phrases.parse().depth(), classes);
    first.forget_contexts(classes);
    log_stage(watch, "sorted " + std::to_string(first.size()) + " B* suffixes of first copies");
    Buffer<Pos> suffixes(bstars.size(), "suffix array");
    bstars.take_sorted(std::move(suffixes), low_contexts(bstars), high_contexts(bstars));
    const SegmentStartFilter starts(text_.segments, context_capacity(text_.symbols));
    const LeftContextReader reader(text_.symbols, starts.view());
    // A left context is known if it lies in the phrase, and the same for all places of the class.
    const auto on_class = [&](const Pos* found, auto places, std::uint64_t begin,
                              std::uint64_t end) {
      const std::uint64_t row = found - first.suffixes();
      LeftContext common = empty_context;
      for (std::uint64_t i = 0; i < places.size(); ++i) {
        LeftContext context = empty_context;
        if (places[i].offset >= reader.capacity || end - begin == 1) {
          context = first.context(row + i);
          if (context == empty_context) context = reader.at(found[i]);
        }
        common = i == 0 || context == common ? context : empty_context;
      }
      bstars.set_contexts({begin, end}, common);
      if (places.size() > 1 && !phrases.parse().has_syncmer_after(found[0]))
        ties.mark_group(begin, end);
    };
    const bool fits = 3 * first.size() <= length_;
    Buffer<PhrasePlace<Pos>> room(fits ? 0 : first.size(), "places");
    auto* places = fits ? reinterpret_cast<PhrasePlace<Pos>*>(sa_.data()) : room.data();
    phrases.copy_suffixes(first.suffixes(), first.size(), classes, places, bstars.suffixes(),
                          on_class);
  }

  /// The memory of the suffix array is still free and has room to sort a third of all suffixes in.
  /// Suffixes of large buckets take none of it.
  void sort_by_text(BStarSorter<Pos>& bstars, std::uint8_t* low, std::uint8_t* high,
                    std::uint64_t limit, TieBits& ties) {
    const std::uint64_t size = bstars.stored_size();
    const bool fits = sizeof(StoredBStar<Pos>) * size <= sizeof(Pos) * length_;
    {
      Buffer<StoredBStar<Pos>> room(fits ? 0 : size, "sorting");
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
  bool with_phrases_;
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
                          const ProgressReport& progress, bool with_phrases) {
  return is_wide(text.length(), width)
             ? Builder<std::uint64_t>(text, threads, progress, with_phrases).run()
             : Builder<std::uint32_t>(text, threads, progress, with_phrases).run();
}

SuffixArray build_suffix_array(const TextView& text, int threads, PositionWidth width,
                               const ProgressReport& progress, bool with_phrases) {
  return build_sa_and_bwt(text, threads, width, progress, with_phrases).sa;
}

}  // namespace gsx
