#include "kernels/sa/suffix_sorter.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/event.hpp"
#include "kernels/runtime/stream.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/refine.hpp"
#include "kernels/sa/resolve.hpp"
#include "kernels/sa/syncmer_ranks.hpp"
#include "machine/resources.hpp"

namespace gsx::cuda {
namespace {

template <class Key, class Pos>
class SuffixSorter {
 public:
  SuffixSorter(const TextView& d_text, const SortPlan& plan, RowConsumer<Pos>& consumer,
               DeviceStream stream, const ProgressReport& progress)
      : text_(d_text), plan_(plan), consumer_(consumer), stream_(stream), progress_(progress) {}

  ~SuffixSorter() {
    try {
      consumer_.wait(0);  // rows must not go while they are being copied
    } catch (const std::exception&) {
      // What made the copy fail has been thrown already, or made the sorter fail before.
    }
  }
  SuffixSorter(const SuffixSorter&) = delete;
  SuffixSorter& operator=(const SuffixSorter&) = delete;

  void run() {
    Stopwatch watch;
    const TextBatches<Key> batches(text_, plan_.batch_suffixes, plan_.keying, stream_);
    log().debug("suffix array: {} batches laid out in {:.4f} s", batches.count(), watch.lap());
    separators_ = separator_rows_async<Pos>(text_, stream_);
    consumer_.take({0, separators_.size(), separators_.data(), nullptr});
    sort_batches(batches);
    finish_repeats();
    watch.lap();
    consumer_.wait(0);
    log().debug("suffix array: the last rows left in {:.4f} s", watch.lap());
  }

 private:
  void sort_batches(const TextBatches<Key>& batches) {
    stretches_.resize(batches.count());
    std::uint64_t row = separators_.size();
    for (std::uint32_t b = 0; b < batches.count(); ++b) {
      stretches_[b].first_row = row;
      row += batches.size(b);
    }
    if (plan_.at_once > 1) return sort_at_once(batches);
    for (std::uint32_t b = 0; b < batches.count(); ++b) {
      report(stretches_[b]);
      sort_one(batches, b, stream_);
    }
  }

  /// While one batch waits for the host, or has few ties left, the device is busy with another.
  void sort_at_once(const TextBatches<Key>& batches) {
    std::vector<std::unique_ptr<Stream>> lanes;  // wait for their work, also after an exception
    for (int lane = 0; lane < plan_.at_once; ++lane)
      lanes.push_back(std::make_unique<Stream>());
    parallel_for(plan_.at_once, batches.count(), [&](std::uint64_t b, int lane) {
      const CurrentDevice current(stream_.pool->device());
      if (lane == 0) report(stretches_[b]);
      sort_one(batches, static_cast<std::uint32_t>(b),
               {lanes[static_cast<std::size_t>(lane)]->get(), stream_.pool});
    });
  }

  void report(const Stretch<Pos>& next) const {
    if (!progress_) return;
    progress_("sorting suffixes",
              static_cast<double>(next.first_row) / static_cast<double>(text_.length()));
  }

  void sort_one(const TextBatches<Key>& batches, std::uint32_t b, DeviceStream stream) {
    Stopwatch watch;
    SortedBatch<Key, Pos> sorted = sort_batch_async<Key, Pos>(batches, b, stream);
    DeviceBuffer<RankBitBlock> tied = refine(sorted, batches.depth(b), stream);
    log().debug("suffix array: batch of {} rows sorted in {:.4f} s", sorted.rows.size(),
                watch.lap());
    if (tied.size() != 0 && !plan_.keep_rows && !ranks_) {
      sorted = {};  // sorted again once there are ranks, which need the room
      tied = {};
      rank_samples(batches);
      return sort_one(batches, b, stream);
    }
    const std::lock_guard lock(mutex_);
    if (stream != stream_) {
      order_after(stream_, stream);
      sorted.rows.move_to(stream_);
      tied.move_to(stream_);
    }
    Stretch<Pos>& stretch = stretches_[b];
    stretch.rows = std::move(sorted.rows);
    stretch.tied = std::move(tied);
    if (!stretch.settled()) {
      if (plan_.keep_rows) return;
      ranks_->settle(stretch);
      sorted.codes = {};  // they have not been sorted along
    }
    hand_over(stretch, sorted.codes);
    if (stream != stream_) order_after(stream, stream_);  // the codes go with that stream
    if (plan_.keep_rows || b == 0) return;
    consumer_.wait(1);
    stretches_[b - 1].rows = DeviceBuffer<Pos>();
  }

  void hand_over(const Stretch<Pos>& stretch, const DeviceBuffer<std::uint8_t>& codes) {
    consumer_.take({stretch.first_row, stretch.rows.size(), stretch.rows.data(), codes.data()});
  }

  /// What is known of the groups of tied suffixes: all are small enough for a warp; they may be; or
  /// some are known to be too large for a warp, or for a block.
  enum class Groups { small, unknown, of_blocks, large };

  /// Suffixes of a batch that are tied, and how far they have been compared.
  struct Ties {
    TiedRows<Pos> rows;
    std::uint64_t depth;  ///< symbols on which the suffixes of a group agree, at least
    Groups groups;
    std::uint64_t too_large = 0;  ///< suffixes of groups that the last step left as they were
    const std::uint64_t* d_keys = nullptr;  ///< as in KnownDepth
    std::uint32_t least_carried = 0;

    KnownDepth known() { return {depth, d_keys, rows.rows(), least_carried}; }
  };

  /// Tells the suffixes of a batch apart that its keys did not, as far as fetching text pays: it is
  /// cheap while few suffixes are tied; where most of a text repeats, ranks get further with the
  /// same work, and where little is left, ranking costs more. Returns what is still tied.
  DeviceBuffer<RankBitBlock> refine(SortedBatch<Key, Pos>& sorted, std::uint64_t depth,
                                    DeviceStream stream) {
    BatchTies batch = resolve_batch_async(sorted, text_, depth, tuning::first_rounds,
                                          consumer_.wants_codes(), stream);
    const Carried carried = carried_by_ties(batch, stream);
    if (sizeof(Key) == 4) sorted.keys = DeviceBuffer<Key>();
    Budget budget(*this, sorted.rows.size());
    std::uint64_t small_depth =
        carried.small == no_ties
            ? ~std::uint64_t{0}
            : depth + carried.small + resolved_depth(text_, tuning::first_rounds);
    {
      Ties large{TiedRows<Pos>(sorted.rows, batch.large, stream), depth + carried.large,
                 Groups::of_blocks};
      if constexpr (sizeof(Key) == 8) large.d_keys = sorted.keys.data();
      large.least_carried = carried.large;
      if (are_many(large, sorted.rows.size())) {
        large.groups = Groups::large;
        large.too_large = large.rows.size();
      }
      while (large.rows.size() != 0 && large.groups != Groups::unknown && budget.allows(large))
        budget.spend(step(large, tuning::first_rounds, sorted.rows));
      if (large.rows.size() != 0) {
        large.rows.store_async(sorted.rows);
        large.rows.mark_async(batch.small);
        small_depth = std::min(small_depth, large.depth);
      }
      // What it took to tell large groups apart says nothing of small ones.
      if (large.rows.size() == 0 || large.groups == Groups::unknown)
        budget = Budget(*this, sorted.rows.size());
    }
    sorted.keys = DeviceBuffer<Key>();
    Ties ties{TiedRows<Pos>(sorted.rows, batch.small, stream), small_depth, Groups::unknown};
    batch = BatchTies();
    unsigned rounds = tuning::next_rounds;
    while (ties.rows.size() != 0 && budget.allows(ties)) {
      if (ties.groups != Groups::small) {
        budget.spend(step(ties, tuning::next_rounds, sorted.rows));
        continue;
      }
      budget.spend(compare(ties, rounds, sorted.rows));
      rounds = std::min(rounds * tuning::rounds_growth, tuning::most_rounds);
    }
    if (ties.rows.size() == 0) return {};
    {
      const std::lock_guard lock(mutex_);
      tied_depth_ = std::min(tied_depth_, ties.depth);
    }
    ties.rows.store_async(sorted.rows);
    return ties.rows.tied_bits(sorted.rows.size());
  }

  /// The fewest symbols that keys of tied suffixes carry, of small and of large groups.
  struct Carried {
    std::uint32_t small = 0;
    std::uint32_t large = 0;
  };
  static constexpr std::uint32_t no_ties = ~std::uint32_t{0};

  static Carried carried_by_ties(const BatchTies& batch, DeviceStream stream) {
    if (sizeof(Key) == 4) return {};
    std::uint32_t least[2];
    batch.least_symbols.copy_to_async(least);
    GSX_CUDA_CHECK(cudaStreamSynchronize(stream));
    return {least[0], least[1] == no_ties ? 0 : least[1]};
  }

  /// Whether so many suffixes of a batch are tied that the text repeats as a whole.
  static bool are_many(const Ties& ties, std::uint64_t batch) {
    return ties.rows.size() > batch / tuning::repeating_share;
  }

  /// Compares tied suffixes by some more keys, and learns of their groups. Returns the gathers that
  /// it has cost.
  std::uint64_t step(Ties& ties, unsigned rounds, DeviceBuffer<Pos>& rows) {
    std::uint64_t gathers = 0;
    if (ties.groups == Groups::large) {
      gathers += tuning::radix_gathers * ties.too_large + ties.rows.size();
      ties.depth = refine_by_text(ties.rows, text_, ties.known(), rows);
      ties.too_large = ties.rows.size();
      // In such a text most groups are large again.
      if (ties.rows.size() == 0 || are_many(ties, rows.size())) return gathers;
    }
    const std::uint64_t tied = ties.rows.size();
    const bool in_warps = ties.groups == Groups::unknown;
    ties.too_large = in_warps ? resolve_in_warps(ties.rows, text_, ties.depth, rounds, rows)
                              : resolve_in_blocks(ties.rows, text_, ties.known(), rounds, rows);
    if (ties.too_large == 0) {
      ties.depth += resolved_depth(text_, rounds);
      ties.groups = in_warps ? Groups::small : Groups::unknown;
    } else {
      ties.groups = in_warps ? Groups::of_blocks : Groups::large;
    }
    log().debug("suffix array: {} symbols deep, {} of {} rows tied, {} in large groups", ties.depth,
                ties.rows.size(), tied, ties.too_large);
    return gathers + tied + rounds * (ties.rows.size() - ties.too_large);
  }

  /// Compares the suffixes of small groups two by two, far. Returns the gathers that it has cost.
  std::uint64_t compare(Ties& ties, unsigned rounds, DeviceBuffer<Pos>& rows) {
    const std::uint64_t tied = ties.rows.size();
    compare_by_warps(ties.rows, text_, ties.depth, rounds, rows);
    ties.depth += resolved_depth(text_, 32 * rounds);
    log().debug("suffix array: {} symbols deep, {} of {} rows tied", ties.depth, ties.rows.size(),
                tied);
    return tied + rounds * ties.rows.size();
  }

  /// What comparing suffixes of a batch in the text may cost, in gathers from it.
  class Budget {
   public:
    Budget(const SuffixSorter& sorter, std::uint64_t batch)
        : batch_(batch),
          least_depth_(sorter.least_depth()),
          limit_(tuning::ranking_gathers * std::max(batch, sorter.text_.length() / 16)) {}

    /// Whether to go on rather than to rank.
    bool allows(const Ties& ties) const {
      return ties.depth < least_depth_ || (!are_many(ties, batch_) && spent_ <= limit_);
    }
    void spend(std::uint64_t gathers) { spent_ += gathers; }

   private:
    std::uint64_t batch_;
    std::uint64_t least_depth_;
    std::uint64_t limit_;
    std::uint64_t spent_ = 0;
  };

  /// Symbols on which suffixes agree before ranks tell them apart. Ranks that are made before the
  /// other batches are sorted do not know how deep these will be.
  std::uint64_t least_depth() const {
    return plan_.keep_rows ? least_syncmer_depth(text_.symbols.bits)
                           : sparse_syncmer_depth(text_.symbols.bits);
  }

  /// Sorts the samples of all batches, and ranks them.
  void rank_samples(const TextBatches<Key>& batches) {
    if (progress_) progress_("sorting repeats", -1);
    Stopwatch watch;
    SyncmerRanks ranks(text_, least_depth(), stream_);
    for (std::uint32_t b = 0; b < batches.count(); ++b) {
      SortedBatch<Key, Pos> sorted = sort_samples<Key, Pos>(batches, b, ranks.samples(), stream_);
      if (sorted.rows.size() == 0) continue;
      Stretch<Pos> stretch;
      stretch.tied = refine(sorted, batches.depth(b), stream_);
      stretch.rows = std::move(sorted.rows);
      ranks.append(stretch);
    }
    ranks.rank();
    ranks_ = std::move(ranks);
    log().debug("suffix array: samples ranked in {:.4f} s", watch.lap());
  }

  /// Ranks what repeats too deeply, and hands over the stretches that waited for it.
  void finish_repeats() {
    std::vector<std::size_t> waiting;
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      if (!stretches_[s].settled()) waiting.push_back(s);
    }
    if (waiting.empty()) return;
    if (progress_) progress_("sorting repeats", -1);
    Stopwatch watch;
    SyncmerRanks ranks(text_, tied_depth_, stream_);
    for (const Stretch<Pos>& stretch : stretches_)
      ranks.append(stretch);
    ranks.rank();
    for (const std::size_t s : waiting)
      ranks.settle(stretches_[s]);
    log().debug("suffix array: repeats ranked in {:.4f} s", watch.lap());
    for (const std::size_t s : waiting)
      hand_over(stretches_[s], {});  // their codes have not been kept
  }

  TextView text_;
  SortPlan plan_;
  RowConsumer<Pos>& consumer_;
  DeviceStream stream_;
  const ProgressReport& progress_;
  std::mutex mutex_;              ///< of what follows, and of the consumer
  DeviceBuffer<Pos> separators_;  ///< like the stretches, there until the consumer has waited
  std::vector<Stretch<Pos>> stretches_;
  std::uint64_t tied_depth_ = ~std::uint64_t{0};
  std::optional<SyncmerRanks> ranks_;  ///< of a plan that does not keep rows, once it needs them
};

}  // namespace

template <class Pos>
void sort_suffixes(const TextView& d_text, const SortPlan& plan, RowConsumer<Pos>& consumer,
                   DeviceStream stream, const ProgressReport& progress) {
  if (has_short_keys(d_text.symbols.bits)) {
    SuffixSorter<std::uint32_t, Pos>(d_text, plan, consumer, stream, progress).run();
  } else {
    SuffixSorter<std::uint64_t, Pos>(d_text, plan, consumer, stream, progress).run();
  }
}

template void sort_suffixes(const TextView&, const SortPlan&, RowConsumer<std::uint32_t>&,
                            DeviceStream, const ProgressReport&);
template void sort_suffixes(const TextView&, const SortPlan&, RowConsumer<std::uint64_t>&,
                            DeviceStream, const ProgressReport&);

}  // namespace gsx::cuda
