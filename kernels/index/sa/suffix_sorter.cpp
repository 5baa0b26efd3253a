#include "kernels/index/sa/suffix_sorter.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/resources.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/peer_copy.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/index/sa/batch_refiner.hpp"
#include "kernels/index/sa/sorting_lanes.hpp"
#include "kernels/index/sa/syncmer_ranks.hpp"

namespace gsx::cuda {
namespace {

template <class Key, class Pos>
class SuffixSorter {
 public:
  SuffixSorter(const TextView& d_text, const SortPlan& plan, RowConsumer<Pos>& consumer,
               DeviceStream stream, const ProgressReport& progress,
               std::span<const SortHelper> helpers)
      : text_(d_text), plan_(plan), consumer_(consumer), stream_(stream), progress_(progress) {
    make_cards(helpers);
    make_lanes();
  }

  ~SuffixSorter() {
    try {
      consumer_.wait(0);  // rows must not go while they are being copied
    } catch (const std::exception&) {
      // What made the copy fail has been thrown already, or made the sorter fail before.
    }
    for (Lane& lane : lanes_) {  // nor while they go from one GPU to another
      const CurrentDevice current(lane.card->device(), std::nothrow);
      if (lane.card != cards_.front().get()) (void)cudaStreamSynchronize(lane.card->stream);
      lane.sent = {};
    }
    lanes_.clear();  // waits for their work, also after an exception
    for (std::unique_ptr<Card>& card : cards_) {
      const CurrentDevice current(card->device(), std::nothrow);
      card.reset();
    }
  }
  SuffixSorter(const SuffixSorter&) = delete;
  SuffixSorter& operator=(const SuffixSorter&) = delete;

  RepeatWork run() {
    separators_ = separator_rows_async<Pos>(text_, stream_);
    consumer_.take({0, separators_.size(), separators_.data(), nullptr});
    sort_batches();
    finish_repeats();
    Stopwatch watch;
    consumer_.wait(0);
    log().debug("suffix array: the last rows left in {:.4f} s", watch.lap());
    return work_;
  }

 private:
  using Card = SortingCard<Key>;
  using Lane = SortingLane<Key, Pos>;

  void make_cards(std::span<const SortHelper> helpers) {
    Stopwatch watch;
    cards_.resize(1 + helpers.size());
    run_threads(static_cast<int>(cards_.size()), [&](int thread) {
      const auto c = static_cast<std::size_t>(thread);
      const SortHelper& card = c == 0 ? SortHelper{text_, stream_} : helpers[c - 1];
      const CurrentDevice current(card.stream.pool->device());
      cards_[c] = std::make_unique<Card>(card.d_text, plan_, card.stream);
    });
    log().debug("suffix array: {} batches laid out in {:.4f} s", batches().count(), watch.lap());
  }

  /// Of several batches at once, each has a stream of its own: while one waits for the host, or has
  /// few ties left, the device is busy with another. The first lane has priority: if two batches
  /// ended together, both results would leave the device while it is idle.
  void make_lanes() {
    constexpr Stream::Priority first = Stream::Priority::high, later = Stream::Priority::normal;
    const bool alone = cards_.size() == 1 && plan_.at_once == 1;
    for (int k = 0; k < plan_.at_once; ++k) {
      for (const std::unique_ptr<Card>& card : cards_) {
        const CurrentDevice current(card->device());
        Lane lane{card.get(),
                  alone ? nullptr : std::make_unique<Stream>(k == 0 ? first : later),
                  card->stream,
                  {}};
        if (!alone) lane.stream.stream = lane.own->get();
        lanes_.push_back(std::move(lane));
      }
    }
  }

  /// Calls work(item, lane) for each item, as lanes become free. What has been queued on the stream
  /// of a card comes first.
  template <class Work>
  void in_lanes(std::uint64_t items, const Work& work) {
    for (const Lane& lane : lanes_) {
      if (lane.own == nullptr) continue;
      const CurrentDevice current(lane.card->device());
      order_after(lane.stream, lane.card->stream);
    }
    if (lanes_.size() == 1) {
      for (std::uint64_t item = 0; item < items; ++item)
        work(item, lanes_.front());
      return;
    }
    parallel_for(static_cast<int>(lanes_.size()), items, [&](std::uint64_t item, int thread) {
      Lane& lane = lanes_[static_cast<std::size_t>(thread)];
      const CurrentDevice current(lane.card->device());
      work(item, lane);
    });
  }

  const TextBatches<Key>& batches() const { return cards_.front()->batches; }

  void sort_batches() {
    stretches_.resize(batches().count());
    std::uint64_t row = separators_.size();
    for (std::uint32_t b = 0; b < batches().count(); ++b) {
      stretches_[b].first_row = row;
      row += batches().size(b);
    }
    std::vector<std::uint32_t> all(batches().count());
    std::iota(all.begin(), all.end(), 0u);
    sort_these(all);
    if (postponed_.empty()) return;
    rank_samples();
    std::vector<std::uint32_t> left = std::exchange(postponed_, {});
    std::ranges::sort(left);
    sort_these(left);
  }

  void sort_these(const std::vector<std::uint32_t>& numbers) {
    in_lanes(numbers.size(), [&](std::uint64_t i, Lane& lane) {
      if (&lane == &lanes_.front()) report(stretches_[numbers[i]]);
      sort_one(numbers[i], lane);
    });
  }

  void report(const Stretch<Pos>& next) const {
    if (!progress_) return;
    progress_("sorting suffixes",
              static_cast<double>(next.first_row) / static_cast<double>(text_.length()));
  }

  void sort_one(std::uint32_t b, Lane& lane) {
    if (postpones(b)) return;
    Stopwatch watch;
    SortedBatch<Key, Pos> sorted = sort_batch_async<Key, Pos>(lane.card->batches, b, lane.stream);
    StillTied tied =
        refine(sorted, b, lane, consumer_.wants_order(), seconds_to_rank(sorted.rows.size()));
    log().debug("suffix array: batch of {} rows sorted in {:.4f} s", sorted.rows.size(),
                watch.lap());
    const std::lock_guard lock(mutex_);
    if (tied.bits.size() != 0 && !plan_.keep_rows && !ranks_) {
      postponed_.push_back(b);  // sorted again once there are ranks, which need the room
      return;
    }
    work_.ranked_rows += tied.rows;
    work_.compared = std::max(work_.compared, tied.compared);
    bring(sorted.rows, sorted.codes, tied.bits, lane);
    const CurrentDevice current(cards_.front()->device());
    settle_or_keep(b, {stretches_[b].first_row, std::move(sorted.rows), std::move(tied.bits)},
                   std::move(sorted.codes), tied.depth);
  }

  /// Once a batch is known to need ranks, no further batch is begun before they are there.
  bool postpones(std::uint32_t b) {
    const std::lock_guard lock(mutex_);
    if (postponed_.empty()) return false;
    postponed_.push_back(b);
    return true;
  }

  void settle_or_keep(std::uint32_t b, Stretch<Pos> sorted, DeviceBuffer<std::uint8_t> codes,
                      std::uint64_t depth) {
    Stretch<Pos>& stretch = stretches_[b];
    stretch = std::move(sorted);
    if (!stretch.settled()) {
      tied_depth_ = std::min(tied_depth_, depth);
      will_rank_ = true;
      if (plan_.keep_rows) return;
      ranks_->settle(stretch);
      codes = {};  // they have not been sorted along
    }
    hand_over(stretch, codes);
    if (!consumer_.wants_order()) stretch.rows = DeviceBuffer<Pos>();
    if (plan_.keep_rows || !consumer_.wants_order()) return;
    consumer_.wait(1);
    if (leaving_ != nullptr) leaving_->rows = DeviceBuffer<Pos>();
    leaving_ = &stretch;
  }

  void hand_over(const Stretch<Pos>& stretch, const DeviceBuffer<std::uint8_t>& codes) {
    consumer_.take({stretch.first_row, stretch.rows.size(), stretch.rows.data(), codes.data()});
  }

  /// Gives what a lane has made of a batch to the stream of the result, and takes it to its GPU.
  void bring(DeviceBuffer<Pos>& rows, DeviceBuffer<std::uint8_t>& codes,
             DeviceBuffer<RankBitBlock>& tied, Lane& lane) const {
    if (lane.stream == stream_) return;
    if (lane.card != cards_.front().get()) return send(rows, codes, tied, lane);
    order_after(stream_, lane.stream);
    rows.move_to(stream_);
    codes.move_to(stream_);
    tied.move_to(stream_);
  }

  /// Takes them from another GPU, on the stream of that card, so that its lane goes on. What was
  /// sent before them goes once it has arrived.
  void send(DeviceBuffer<Pos>& rows, DeviceBuffer<std::uint8_t>& codes,
            DeviceBuffer<RankBitBlock>& tied, Lane& lane) const {
    const DeviceStream sending = lane.card->stream;
    if (lane.sent.arrived)
      GSX_CUDA_CHECK(cudaStreamWaitEvent(lane.stream, lane.sent.arrived->get(), 0));
    lane.sent = {std::move(rows), std::move(codes), std::move(tied), nullptr};
    order_after(sending, lane.stream);
    rows = copy_between_gpus(lane.sent.rows, sending, stream_);
    codes = copy_between_gpus(lane.sent.codes, sending, stream_);
    tied = copy_between_gpus(lane.sent.tied, sending, stream_);
    lane.sent.arrived = std::make_unique<Event>(cudaEventDisableTiming);
    lane.sent.arrived->record(sending);
  }

  StillTied refine(SortedBatch<Key, Pos>& sorted, std::uint32_t b, const Lane& lane,
                   bool wants_order, double ranking) const {
    const RefineSetup setup{lane.card->d_text, least_depth(), consumer_.wants_codes(), wants_order,
                            ranking};
    return refine_batch(sorted, lane.card->batches.depth(b), setup, lane.stream);
  }

  /// What ranks cost a batch of so many rows: its share, or, where samples are to be sorted, all of
  /// it, since no other batch may need them; nothing once another one does.
  double seconds_to_rank(std::uint64_t rows) const {
    if (ranks_ || will_rank_) return 0;
    const double symbols = ranks_rows()
                               ? static_cast<double>(rows) * tuning::ranked_symbol
                               : static_cast<double>(text_.length()) * tuning::ranked_sample_symbol;
    return tuning::least_ranking + symbols;
  }

  /// Whether ranks are read from the rows of all batches, which are there and in order; else,
  /// samples are sorted for them.
  bool ranks_rows() const { return plan_.keep_rows && consumer_.wants_order(); }

  /// Symbols on which suffixes agree before ranks tell them apart. Ranks that are made before the
  /// other batches are sorted do not know how deep these will be.
  std::uint64_t least_depth() const {
    return ranks_rows() ? least_syncmer_depth(text_.symbols.bits)
                        : sparse_syncmer_depth(text_.symbols.bits);
  }

  /// Sorts the samples of all batches, and ranks them.
  void rank_samples() {
    if (progress_) progress_("sorting repeats", -1);
    Stopwatch watch;
    SyncmerRanks ranks(text_, least_depth(), stream_);
    SampleMarks marks(ranks, cards_, stream_);
    for (std::uint64_t first = 0; first < batches().count(); first += lanes_.size()) {
      std::vector<Stretch<Pos>> sorted(
          std::min<std::uint64_t>(lanes_.size(), batches().count() - first));
      in_lanes(sorted.size(), [&](std::uint64_t i, Lane& lane) {
        sorted[i] = samples_of(static_cast<std::uint32_t>(first + i), lane, marks.on(*lane.card));
      });
      for (const Stretch<Pos>& stretch : sorted) {
        if (stretch.rows.size() != 0) ranks.append(stretch);
      }
    }
    ranks.rank();
    ++work_.rankings;
    ranks_ = std::move(ranks);
    log().debug("suffix array: samples ranked in {:.4f} s", watch.lap());
  }

  /// Which positions are samples, on each card.
  class SampleMarks {
   public:
    SampleMarks(const SyncmerRanks& ranks, const std::vector<std::unique_ptr<Card>>& cards,
                DeviceStream stream)
        : samples_(ranks.samples()) {
      for (std::size_t c = 1; c < cards.size(); ++c) {
        copies_.emplace_back(cards[c].get(),
                             copy_between_gpus(ranks.marks(), stream, cards[c]->stream));
      }
    }
    ~SampleMarks() {
      for (auto& [card, marks] : copies_) {
        const CurrentDevice current(card->device(), std::nothrow);
        marks = {};
      }
    }
    SampleMarks(const SampleMarks&) = delete;
    SampleMarks& operator=(const SampleMarks&) = delete;

    RankBitVector on(const Card& card) const {
      for (const auto& [owner, marks] : copies_) {
        if (owner == &card) return {marks.data(), samples_.size};
      }
      return samples_;
    }

   private:
    RankBitVector samples_;
    std::vector<std::pair<const Card*, DeviceBuffer<RankBitBlock>>> copies_;
  };

  Stretch<Pos> samples_of(std::uint32_t b, Lane& lane, const RankBitVector& samples) {
    SortedBatch<Key, Pos> sorted =
        sort_samples<Key, Pos>(lane.card->batches, b, samples, lane.stream);
    if (sorted.rows.size() == 0) return {};
    StillTied tied = refine(sorted, b, lane, true, 0);  // they are ranked whatever is done here
    sorted.codes = {};                                  // nobody wants them
    const std::lock_guard lock(mutex_);
    bring(sorted.rows, sorted.codes, tied.bits, lane);
    return {0, std::move(sorted.rows), std::move(tied.bits)};
  }

  /// Ranks the samples of all batches, whose rows are there.
  void rank_rows() {
    ranks_.emplace(text_, tied_depth_, stream_);
    for (const Stretch<Pos>& stretch : stretches_)
      ranks_->append(stretch);
    ranks_->rank();
    ++work_.rankings;
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
    if (ranks_rows()) {
      rank_rows();
    } else {
      rank_samples();
    }
    for (const std::size_t s : waiting)
      ranks_->settle(stretches_[s]);
    ranks_.reset();
    log().debug("suffix array: repeats ranked in {:.4f} s", watch.lap());
    for (const std::size_t s : waiting)
      hand_over(stretches_[s], {});  // their codes have not been kept
  }

  TextView text_;
  SortPlan plan_;
  RowConsumer<Pos>& consumer_;
  DeviceStream stream_;
  const ProgressReport& progress_;
  std::vector<std::unique_ptr<Card>> cards_;  ///< the first one has the result
  std::vector<Lane> lanes_;
  std::mutex mutex_;  ///< of what follows, and of the consumer
  RepeatWork work_;
  DeviceBuffer<Pos> separators_;  ///< there until the consumer has waited, like stretches in order
  std::vector<Stretch<Pos>> stretches_;
  Stretch<Pos>* leaving_ = nullptr;  ///< whose rows may still be on their way
  std::uint64_t tied_depth_ = ~std::uint64_t{0};
  std::atomic<bool> will_rank_ = false;   ///< since some stretch needs it
  std::vector<std::uint32_t> postponed_;  ///< batches that need ranks, where rows are not kept
  std::optional<SyncmerRanks> ranks_;     ///< once a batch needs them
};

}  // namespace

template <class Pos>
RepeatWork sort_suffixes(const TextView& d_text, const SortPlan& plan, RowConsumer<Pos>& consumer,
                         DeviceStream stream, const ProgressReport& progress,
                         std::span<const SortHelper> helpers) {
  const auto sort = [&]<class Key>(Key) {
    return SuffixSorter<Key, Pos>(d_text, plan, consumer, stream, progress, helpers).run();
  };
  return has_short_keys(d_text.symbols.bits) ? sort(std::uint32_t{}) : sort(std::uint64_t{});
}

template RepeatWork sort_suffixes(const TextView&, const SortPlan&, RowConsumer<std::uint32_t>&,
                                  DeviceStream, const ProgressReport&, std::span<const SortHelper>);
template RepeatWork sort_suffixes(const TextView&, const SortPlan&, RowConsumer<std::uint64_t>&,
                                  DeviceStream, const ProgressReport&, std::span<const SortHelper>);

}  // namespace gsx::cuda
