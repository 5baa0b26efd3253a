#include "device/multi_device.hpp"

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"

namespace gsx {
namespace {

/// Searchers of the same texts, of which each batch takes the least busy one.
template <class AnySearcher>
class SearcherTurns {
 public:
  explicit SearcherTurns(std::vector<std::unique_ptr<AnySearcher>> searchers)
      : searchers_(std::move(searchers)), at_work_(searchers_.size()) {}
  /// At the same time, because each gives much memory back.
  ~SearcherTurns() {
    run_threads(static_cast<int>(searchers_.size()),
                [&](int thread) { searchers_[static_cast<std::size_t>(thread)].reset(); });
  }
  SearcherTurns(const SearcherTurns&) = delete;
  SearcherTurns& operator=(const SearcherTurns&) = delete;

  const AnySearcher& front() const { return *searchers_.front(); }
  const std::vector<std::unique_ptr<AnySearcher>>& all() const { return searchers_; }

  /// One batch's hold on the least busy searcher; of equally busy ones, on that after the last.
  class Turn {
   public:
    explicit Turn(const SearcherTurns& all) : all_(all) {
      const std::lock_guard lock(all.mutex_);
      const std::size_t count = all.searchers_.size();
      number_ = all.next_;
      for (std::size_t i = 1; i < count; ++i) {
        const std::size_t other = (all.next_ + i) % count;
        if (all.at_work_[other] < all.at_work_[number_]) number_ = other;
      }
      ++all.at_work_[number_];
      all.next_ = (number_ + 1) % count;
    }
    ~Turn() {
      const std::lock_guard lock(all_.mutex_);
      --all_.at_work_[number_];
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    const AnySearcher* operator->() const { return all_.searchers_[number_].get(); }
    /// Lets the next batch have this one's turn.
    void pass() {
      const std::lock_guard lock(all_.mutex_);
      all_.next_ = number_;
    }

   private:
    const SearcherTurns& all_;
    std::size_t number_;
  };

 private:
  std::vector<std::unique_ptr<AnySearcher>> searchers_;
  mutable std::mutex mutex_;
  mutable std::vector<int> at_work_;
  mutable std::size_t next_ = 0;
};

/// A searcher of any kind (search/searcher_of.hpp): each batch goes to one device. Kinds whose
/// searchers have another interface stand below.
template <class Kind>
class MultiDeviceSearcher final : public Kind::Searcher {
 public:
  using Some = typename Kind::Searcher;
  using Batch = typename Kind::Batch;

  explicit MultiDeviceSearcher(std::vector<std::unique_ptr<Some>> searchers)
      : turns_(std::move(searchers)) {}

  void count(const Batch& batch, typename Kind::CountRequest request,
             typename Kind::Counts& counts) const override {
    const typename SearcherTurns<Some>::Turn turn(turns_);
    turn->count(batch, request, counts);
  }
  void stream(const Batch& batch, const typename Kind::Request& request,
              const typename Kind::Sink& sink) const override {
    const typename SearcherTurns<Some>::Turn turn(turns_);
    turn->stream(batch, request, sink);
  }
  std::unique_ptr<Some> start(const Batch& batch,
                              const StartRequest<Kind>& request) const override {
    auto started = std::make_unique<Started>(turns_);
    return started->begin(batch, request) ? std::move(started) : nullptr;
  }
  std::size_t best_batch() const override { return turns_.front().best_batch(); }
  bool takes_packed() const override {
    return std::ranges::all_of(turns_.all(),
                               [](const auto& searcher) { return searcher->takes_packed(); });
  }

 private:
  /// What the least busy searcher has started. It counts as at work until this one goes.
  class Started final : public Some {
   public:
    explicit Started(const SearcherTurns<Some>& turns) : turn_(turns) {}
    bool begin(const Batch& batch, const StartRequest<Kind>& request) {
      searcher_ = turn_->start(batch, request);
      if (!searcher_) turn_.pass();
      return searcher_ != nullptr;
    }
    void count(const Batch& batch, typename Kind::CountRequest request,
               typename Kind::Counts& counts) const override {
      searcher_->count(batch, request, counts);
    }
    void stream(const Batch& batch, const typename Kind::Request& request,
                const typename Kind::Sink& sink) const override {
      searcher_->stream(batch, request, sink);
    }
    bool takes_packed() const override { return searcher_->takes_packed(); }

   private:
    typename SearcherTurns<Some>::Turn turn_;
    std::unique_ptr<Some> searcher_;
  };

  SearcherTurns<Some> turns_;
};

template <>
class MultiDeviceSearcher<PairSearch> final : public PairSearcher {
 public:
  explicit MultiDeviceSearcher(std::vector<std::unique_ptr<PairSearcher>> searchers)
      : turns_(std::move(searchers)) {}

  void take(const PackedView& queries) override {
    for (const auto& searcher : turns_.all())
      searcher->take(queries);
  }
  void find(std::span<const PairPiece> pieces, const PairSink& sink) const override {
    const SearcherTurns<PairSearcher>::Turn turn(turns_);
    turn->find(pieces, sink);
  }
  std::uint64_t best_places() const override { return turns_.front().best_places(); }

 private:
  SearcherTurns<PairSearcher> turns_;
};

template <>
class MultiDeviceSearcher<PrefixSearch> final : public PrefixFinder {
 public:
  explicit MultiDeviceSearcher(std::vector<std::unique_ptr<PrefixFinder>> finders)
      : turns_(std::move(finders)) {}

  void find(std::span<const std::string_view> sequences,
            std::span<std::uint32_t> found) const override {
    const SearcherTurns<PrefixFinder>::Turn turn(turns_);
    turn->find(sequences, found);
  }

 private:
  SearcherTurns<PrefixFinder> turns_;
};

class MultiDeviceBackend final : public Backend {
 public:
  explicit MultiDeviceBackend(std::vector<std::unique_ptr<Backend>> backends)
      : backends_(std::move(backends)) {
    searches().for_each([this]<class Kind>(const Kind&, OpenSearcher<Kind>& open) {
      open = [this](const typename Kind::Setup& setup) { return open_on_all<Kind>(setup); };
    });
    measures().for_each([this]<class Kind>(const Kind&, Measure<Kind>& measure) {
      measure.plan = [this](const auto&... asked) { return first().plan_measure<Kind>(asked...); };
      measure.take = [this](const auto&... asked) { return first().measure<Kind>(asked...); };
    });
  }

  std::string name() const override {
    std::string names;
    for (const auto& backend : backends_)
      names += (names.empty() ? "" : " and ") + backend->name();
    return names;
  }
  /// Of the device that used most.
  std::uint64_t peak_device_bytes() const override {
    std::uint64_t most = 0;
    for (const auto& backend : backends_)
      most = std::max(most, backend->peak_device_bytes());
    return most;
  }
  int search_threads(int cores) const override { return backends_.front()->search_threads(cores); }
  BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) override {
    return first().plan(text, target, options);
  }
  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    first().build_rows(text, options, take);
  }
  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    first().build_codes(text, options, take);
  }
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return first().build_index(text, options);
  }
  Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options) override {
    return first().invert(bwt, options);
  }

 private:
  Backend& first() { return *backends_.front(); }

  /// Neighbours are found on the first device.
  template <class Kind>
  std::unique_ptr<typename Kind::Searcher> open_on_all(const typename Kind::Setup& setup) {
    if constexpr (std::is_same_v<Kind, NeighborSearch>) {
      return first().open<Kind>(setup);
    } else {
      std::vector<std::unique_ptr<typename Kind::Searcher>> searchers(backends_.size());
      run_threads(static_cast<int>(backends_.size()), [&](int thread) {
        const auto i = static_cast<std::size_t>(thread);
        searchers[i] = backends_[i]->open<Kind>(setup);
      });
      return std::make_unique<MultiDeviceSearcher<Kind>>(std::move(searchers));
    }
  }

  std::vector<std::unique_ptr<Backend>> backends_;
};

}  // namespace

std::unique_ptr<Searcher> make_multi_device_searcher(
    std::vector<std::unique_ptr<Searcher>> searchers) {
  return std::make_unique<MultiDeviceSearcher<ExactSearch>>(std::move(searchers));
}

std::unique_ptr<Backend> make_multi_device_backend(std::vector<std::unique_ptr<Backend>> backends) {
  return std::make_unique<MultiDeviceBackend>(std::move(backends));
}

}  // namespace gsx
