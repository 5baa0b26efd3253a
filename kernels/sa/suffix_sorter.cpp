#include "kernels/sa/suffix_sorter.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/sa/refine.hpp"
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
      consumer_.wait();  // rows must not go while they are being copied
    } catch (const std::exception&) {
      // What made the copy fail has been thrown already, or made the sorter fail before.
    }
  }
  SuffixSorter(const SuffixSorter&) = delete;
  SuffixSorter& operator=(const SuffixSorter&) = delete;

  void run() {
    const std::uint64_t n = text_.length();
    Stopwatch watch;
    const TextBatches<Key> batches(text_, plan_.batch_suffixes, stream_);
    log().debug("suffix array: {} batches laid out in {:.4f} s", batches.count(), watch.lap());
    separators_ = separator_rows_async<Pos>(text_, stream_);
    consumer_.take({0, separators_.size(), separators_.data(), nullptr});
    std::uint64_t row = separators_.size();
    for (std::uint32_t b = 0; b < batches.count(); ++b) {
      if (progress_) {
        progress_("sorting suffixes", static_cast<double>(row) / static_cast<double>(n));
      }
      sort_one(batches, b, row);
      row += batches.size(b);
    }
    finish_repeats();
    consumer_.wait();
  }

 private:
  void sort_one(const TextBatches<Key>& batches, std::uint32_t b, std::uint64_t first_row) {
    Stopwatch watch;
    SortedBatch<Key, Pos> sorted = sort_batch_async<Key, Pos>(batches, b, stream_);
    DeviceBuffer<RankBitBlock> tied = refine(sorted, batches.depth(b));
    log().debug("suffix array: batch of {} rows sorted in {:.4f} s", sorted.rows.size(),
                watch.lap());
    stretches_.push_back({first_row, std::move(sorted.rows), std::move(tied)});
    if (stretches_.back().settled()) {
      hand_over(stretches_.back(), sorted.keys);
      // What was taken before this has left by now.
      if (!plan_.keep_rows) stretches_.erase(stretches_.begin(), stretches_.end() - 1);
    }
  }

  void hand_over(const Stretch<Pos>& stretch, const DeviceBuffer<Key>& keys) {
    FinishedRows<Pos> rows{stretch.first_row, stretch.rows.size(), stretch.rows.data(), nullptr};
    if constexpr (carried_bits_of<Key> != 0) rows.d_keys = keys.data();
    consumer_.take(rows);
  }

  /// Tells the suffixes of a batch apart that its keys did not, as far as rounds of text pay:
  /// they are cheap while few suffixes are tied; where most of a text repeats, ranks get further
  /// with the same work, and where little is left, ranking costs more. Returns what is still tied.
  DeviceBuffer<RankBitBlock> refine(SortedBatch<Key, Pos>& sorted, std::uint64_t depth) {
    const std::uint64_t size = sorted.rows.size();
    const std::uint64_t least_depth = least_syncmer_depth(text_.symbols.bits);
    TiedRows<Pos> tied(sorted, stream_);
    std::uint64_t spent = 0;
    unsigned deep_keys = tuning::first_deep_keys;
    for (unsigned round = 0; tied.size() != 0; ++round) {
      // The first round is not a choice: short keys leave many tied that one more fetch tells
      // apart.
      if (round > 0) spent += tuning::round_weight * tied.size() + tuning::round_overhead;
      const std::uint64_t limit = 2 * std::max(size, text_.length() / 16);
      if (plan_.keep_rows && round > 0 && depth >= least_depth &&
          (tied.size() > size / 4 || spent > limit)) {
        break;
      }
      if (!plan_.keep_rows && spent > tuning::patience * limit) {
        throw ResourceError(
            "out of GPU memory: this text has repeats so long that sorting it needs the whole "
            "suffix "
            "array on the GPU");
      }
      if (round % tuning::rounds_between == tuning::first_rounds) {
        compare_in_text(tied, text_, depth, deep_keys, sorted.rows);
        deep_keys = std::min(deep_keys * tuning::deep_keys_growth, tuning::max_deep_keys);
      } else {
        depth = refine_by_text(tied, text_, depth, sorted.rows);
      }
      log().debug("suffix array: {} symbols deep, {} rows tied", depth, tied.size());
    }
    if (tied.size() == 0) return {};
    tied_depth_ = std::min(tied_depth_, depth);
    tied.store_async(sorted.rows);
    return tied.tied_bits(size);
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
    rank_by_syncmers(text_, tied_depth_, stretches_, stream_);
    log().debug("suffix array: repeats ranked in {:.4f} s", watch.lap());
    for (const std::size_t s : waiting)
      hand_over(stretches_[s], {});
  }

  TextView text_;
  SortPlan plan_;
  RowConsumer<Pos>& consumer_;
  DeviceStream stream_;
  const ProgressReport& progress_;
  DeviceBuffer<Pos> separators_;  ///< like the stretches, there until the consumer has waited
  std::vector<Stretch<Pos>> stretches_;
  std::uint64_t tied_depth_ = ~std::uint64_t{0};
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
