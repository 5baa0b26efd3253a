#include "device/multi_device.hpp"

#include <algorithm>
#include <mutex>
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

class MultiDeviceSearcher final : public Searcher {
 public:
  explicit MultiDeviceSearcher(std::vector<std::unique_ptr<Searcher>> searchers)
      : turns_(std::move(searchers)) {}

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    const SearcherTurns<Searcher>::Turn turn(turns_);
    turn->count(patterns, strands, counts);
  }
  void stream_hits(const Patterns& patterns, const LocateRequest& request,
                   const HitSink& sink) const override {
    const SearcherTurns<Searcher>::Turn turn(turns_);
    turn->stream_hits(patterns, request, sink);
  }
  std::unique_ptr<Searcher> start(const Patterns& patterns,
                                  const SearchRequest& request) const override {
    auto started = std::make_unique<Started>(turns_);
    return started->start(patterns, request) ? std::move(started) : nullptr;
  }
  std::size_t best_batch() const override { return turns_.front().best_batch(); }
  bool takes_packed() const override {
    return std::ranges::all_of(turns_.all(),
                               [](const auto& searcher) { return searcher->takes_packed(); });
  }

 private:
  /// What the least busy searcher has started. It counts as at work until this one goes.
  class Started final : public Searcher {
   public:
    explicit Started(const SearcherTurns<Searcher>& turns) : turn_(turns) {}
    bool start(const Patterns& patterns, const SearchRequest& request) {
      searcher_ = turn_->start(patterns, request);
      if (!searcher_) turn_.pass();
      return searcher_ != nullptr;
    }
    void count(const Patterns& patterns, Strands strands,
               std::vector<StrandCounts>& counts) const override {
      searcher_->count(patterns, strands, counts);
    }
    void stream_hits(const Patterns& patterns, const LocateRequest& request,
                     const HitSink& sink) const override {
      searcher_->stream_hits(patterns, request, sink);
    }
    bool takes_packed() const override { return searcher_->takes_packed(); }

   private:
    SearcherTurns<Searcher>::Turn turn_;
    std::unique_ptr<Searcher> searcher_;
  };

  SearcherTurns<Searcher> turns_;
};

class MultiDeviceMismatchSearcher final : public MismatchSearcher {
 public:
  explicit MultiDeviceMismatchSearcher(std::vector<std::unique_ptr<MismatchSearcher>> searchers)
      : turns_(std::move(searchers)) {}

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const SearcherTurns<MismatchSearcher>::Turn turn(turns_);
    turn->count(patterns, request, counts);
  }
  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override {
    const SearcherTurns<MismatchSearcher>::Turn turn(turns_);
    turn->stream_hits(patterns, request, sink);
  }

 private:
  SearcherTurns<MismatchSearcher> turns_;
};

class MultiDeviceMatchSearcher final : public MatchSearcher {
 public:
  explicit MultiDeviceMatchSearcher(std::vector<std::unique_ptr<MatchSearcher>> searchers)
      : turns_(std::move(searchers)) {}

  void stream_matches(const Patterns& queries, const MatchRequest& request,
                      const MatchSink& sink) const override {
    const SearcherTurns<MatchSearcher>::Turn turn(turns_);
    turn->stream_matches(queries, request, sink);
  }
  void detect(const Patterns& queries, const MatchRequest& request,
              std::vector<std::uint8_t>& matched) const override {
    const SearcherTurns<MatchSearcher>::Turn turn(turns_);
    turn->detect(queries, request, matched);
  }
  std::size_t best_batch() const override { return turns_.front().best_batch(); }

 private:
  SearcherTurns<MatchSearcher> turns_;
};

class MultiDevicePairSearcher final : public PairSearcher {
 public:
  explicit MultiDevicePairSearcher(std::vector<std::unique_ptr<PairSearcher>> searchers)
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

class MultiDevicePrefixFinder final : public PrefixFinder {
 public:
  explicit MultiDevicePrefixFinder(std::vector<std::unique_ptr<PrefixFinder>> finders)
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
      : backends_(std::move(backends)) {}

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
  std::unique_ptr<Searcher> open(const Index& index, int threads,
                                 const SearchMemory& memory) override {
    std::vector<std::unique_ptr<Searcher>> searchers(backends_.size());
    run_threads(static_cast<int>(backends_.size()), [&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      searchers[i] = backends_[i]->open(index, threads, memory);
    });
    return make_multi_device_searcher(std::move(searchers));
  }
  std::unique_ptr<MismatchSearcher> open_mismatches(const MismatchTarget& target, int threads,
                                                    const SearchMemory& memory) override {
    std::vector<std::unique_ptr<MismatchSearcher>> searchers(backends_.size());
    run_threads(static_cast<int>(backends_.size()), [&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      searchers[i] = backends_[i]->open_mismatches(target, threads, memory);
    });
    return std::make_unique<MultiDeviceMismatchSearcher>(std::move(searchers));
  }
  std::unique_ptr<MatchSearcher> open_matches(const Index& index, int threads,
                                              const SearchMemory& memory) override {
    std::vector<std::unique_ptr<MatchSearcher>> searchers(backends_.size());
    run_threads(static_cast<int>(backends_.size()), [&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      searchers[i] = backends_[i]->open_matches(index, threads, memory);
    });
    return std::make_unique<MultiDeviceMatchSearcher>(std::move(searchers));
  }
  std::unique_ptr<PairSearcher> open_pairs(const PairSetup& setup) override {
    std::vector<std::unique_ptr<PairSearcher>> searchers(backends_.size());
    run_threads(static_cast<int>(backends_.size()), [&](int thread) {
      const auto i = static_cast<std::size_t>(thread);
      searchers[i] = backends_[i]->open_pairs(setup);
    });
    return std::make_unique<MultiDevicePairSearcher>(std::move(searchers));
  }
  /// On the first device.
  std::unique_ptr<NeighborFinder> open_neighbors() override { return first().open_neighbors(); }
  std::unique_ptr<PrefixFinder> open_prefixes(const PrefixSet& set, int threads) override {
    std::vector<std::unique_ptr<PrefixFinder>> finders;
    for (const auto& backend : backends_)
      finders.push_back(backend->open_prefixes(set, threads));
    return std::make_unique<MultiDevicePrefixFinder>(std::move(finders));
  }

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
  std::vector<KmerFrequencies> count_kmers(const BothStrandsView& text,
                                           std::span<const std::uint64_t> lengths,
                                           const BuildOptions& options) override {
    return first().count_kmers(text, lengths, options);
  }
  std::optional<BuildPlan> plan_kmers(const BothStrandsView& text,
                                      std::span<const std::uint64_t> lengths,
                                      const BuildOptions& options) override {
    return first().plan_kmers(text, lengths, options);
  }
  std::optional<SharedLengths> share_lengths(const BothStrandsView& text,
                                             const BuildOptions& options) override {
    return first().share_lengths(text, options);
  }
  std::optional<BuildPlan> plan_shared_lengths(const BothStrandsView& text,
                                               const BuildOptions& options) override {
    return first().plan_shared_lengths(text, options);
  }
  std::optional<Buffer<std::uint16_t>> count_near_kmers(const BothStrandsView& text,
                                                        const NearKmers& near,
                                                        std::span<const std::uint16_t> exact,
                                                        const BuildOptions& options) override {
    return first().count_near_kmers(text, near, exact, options);
  }
  std::optional<BuildPlan> plan_near_kmers(const BothStrandsView& text, const NearKmers& near,
                                           const BuildOptions& options) override {
    return first().plan_near_kmers(text, near, options);
  }

 private:
  Backend& first() { return *backends_.front(); }

  std::vector<std::unique_ptr<Backend>> backends_;
};

}  // namespace

std::unique_ptr<Searcher> make_multi_device_searcher(
    std::vector<std::unique_ptr<Searcher>> searchers) {
  return std::make_unique<MultiDeviceSearcher>(std::move(searchers));
}

std::unique_ptr<Backend> make_multi_device_backend(std::vector<std::unique_ptr<Backend>> backends) {
  return std::make_unique<MultiDeviceBackend>(std::move(backends));
}

}  // namespace gsx
