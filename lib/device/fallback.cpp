#include "device/fallback.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/fallback_finders.hpp"
#include "device/searcher_and_second.hpp"
#include "search/matches/match_chunks.hpp"

namespace gsx {
namespace {

class FallbackSearcher final : public Searcher {
 public:
  FallbackSearcher(std::unique_ptr<Searcher> first, SearcherAndSecond<Searcher>::Open open_second,
                   std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    count(patterns, strands, counts, nullptr);
  }
  void stream_hits(const Patterns& patterns, const LocateRequest& request,
                   const HitSink& sink) const override {
    stream_hits(patterns, request, sink, nullptr);
  }
  std::unique_ptr<Searcher> start(const Patterns& patterns,
                                  const SearchRequest& request) const override {
    std::unique_ptr<Searcher> started;
    both_.try_first([&] { started = both_.first().start(patterns, request); },
                    [] { return false; });
    if (!started) return nullptr;
    return std::make_unique<Started>(*this, std::move(started));
  }
  std::size_t best_batch() const override { return both_.first().best_batch(); }
  bool takes_packed() const override { return both_.first().takes_packed(); }

 private:
  /// What the first has started, for which the second stands in, too.
  class Started final : public Searcher {
   public:
    Started(const FallbackSearcher& both, std::unique_ptr<Searcher> started)
        : both_(both), started_(std::move(started)) {}
    void count(const Patterns& patterns, Strands strands,
               std::vector<StrandCounts>& counts) const override {
      both_.count(patterns, strands, counts, started_.get());
    }
    void stream_hits(const Patterns& patterns, const LocateRequest& request,
                     const HitSink& sink) const override {
      both_.stream_hits(patterns, request, sink, started_.get());
    }
    bool takes_packed() const override { return started_->takes_packed(); }

   private:
    const FallbackSearcher& both_;
    std::unique_ptr<Searcher> started_;
  };

  void count(const Patterns& patterns, Strands strands, std::vector<StrandCounts>& counts,
             const Searcher* started) const {
    both_.count(
        [&](const Searcher& searcher) {
          with_taken(searcher, patterns,
                     [&](const Patterns& taken) { searcher.count(taken, strands, counts); });
        },
        started);
  }
  void stream_hits(const Patterns& patterns, const LocateRequest& request, const HitSink& sink,
                   const Searcher* started) const {
    both_.stream<HitProgress>(
        patterns, sink,
        [&](const Searcher& searcher, const Patterns& some, const HitSink& pass_on) {
          with_taken(searcher, some,
                     [&](const Patterns& taken) { searcher.stream_hits(taken, request, pass_on); });
        },
        started);
  }
  /// Calls search(patterns) with patterns as the searcher takes them.
  template <class Search>
  static void with_taken(const Searcher& searcher, const Patterns& patterns, const Search& search) {
    if (!patterns.are_packed() || searcher.takes_packed()) return search(patterns);
    search(UnpackedPatterns(patterns).patterns());
  }

  SearcherAndSecond<Searcher> both_;
};

class FallbackMismatchSearcher final : public MismatchSearcher {
 public:
  FallbackMismatchSearcher(std::unique_ptr<MismatchSearcher> first,
                           SearcherAndSecond<MismatchSearcher>::Open open_second,
                           std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    both_.count(
        [&](const MismatchSearcher& searcher) { searcher.count(patterns, request, counts); });
  }
  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override {
    both_.stream_hits(patterns, request, sink);
  }

 private:
  SearcherAndSecond<MismatchSearcher> both_;
};

class FallbackMatchSearcher final : public MatchSearcher {
 public:
  FallbackMatchSearcher(std::unique_ptr<MatchSearcher> first,
                        SearcherAndSecond<MatchSearcher>::Open open_second,
                        std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void stream_matches(const Patterns& queries, const MatchRequest& request,
                      const MatchSink& sink) const override {
    both_.stream<MatchProgress>(
        queries, sink,
        [&](const MatchSearcher& searcher, const Patterns& some, const MatchSink& pass_on) {
          searcher.stream_matches(some, request, pass_on);
        });
  }
  void detect(const Patterns& queries, const MatchRequest& request,
              std::vector<std::uint8_t>& matched) const override {
    both_.count([&](const MatchSearcher& searcher) { searcher.detect(queries, request, matched); });
  }
  std::size_t best_batch() const override { return both_.first().best_batch(); }

 private:
  SearcherAndSecond<MatchSearcher> both_;
};

/// Each call gives the same pairs in the same order on any device, so the second leaves out as many
/// as the first has given.
class FallbackPairSearcher final : public PairSearcher {
 public:
  FallbackPairSearcher(std::unique_ptr<PairSearcher> first,
                       SearcherAndSecond<PairSearcher>::Open open_second, std::atomic<bool>& failed)
      : both_(
            std::move(first),
            [this, open = std::move(open_second)] {
              std::unique_ptr<PairSearcher> second = open();
              second->take(queries_);
              return second;
            },
            failed) {}

  void take(const PackedView& queries) override {
    queries_ = queries;
    if (!both_.try_first([&] { both_.first().take(queries); }, [] { return false; }))
      both_.second().take(queries);
  }
  void find(std::span<const PairPiece> pieces, const PairSink& sink) const override {
    std::uint64_t given = 0;
    bool in_sink = false;
    const PairSink pass_on = [&](std::span<const MatchPair> pairs) {
      given += pairs.size();
      in_sink = true;
      sink(pairs);
      in_sink = false;
    };
    if (both_.try_first([&] { both_.first().find(pieces, pass_on); }, [&] { return in_sink; }))
      return;
    both_.second().find(pieces, [&](std::span<const MatchPair> pairs) {
      const std::uint64_t before = std::min<std::uint64_t>(given, pairs.size());
      given -= before;
      if (before < pairs.size()) sink(pairs.subspan(before));
    });
  }
  std::uint64_t best_places() const override { return both_.first().best_places(); }

 private:
  SearcherAndSecond<PairSearcher> both_;
  PackedView queries_;
};

class FallbackBackend final : public Backend {
 public:
  FallbackBackend(std::unique_ptr<Backend> first, std::unique_ptr<Backend> second)
      : devices_(std::move(first), std::move(second)) {}

  std::string name() const override { return devices_.name(devices_.failed() || searcher_failed_); }
  std::uint64_t peak_device_bytes() const override { return devices_.first().peak_device_bytes(); }

  BuildPlan plan(const TextView& text, BuildTarget target, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.plan(text, target, options); });
  }
  void build_rows(const TextView& text, const BuildOptions& options,
                  const TakeRows& take) override {
    hand_over(take, [&](Backend& backend, const TakeRows& take_rows) {
      backend.build_rows(text, options, take_rows);
    });
  }
  void build_codes(const TextView& text, const BuildOptions& options,
                   const TakeCodes& take) override {
    hand_over(take, [&](Backend& backend, const TakeCodes& take_codes) {
      backend.build_codes(text, options, take_codes);
    });
  }
  FmIndex build_index(const TextView& text, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.build_index(text, options); });
  }
  Buffer<std::uint8_t> invert(const BwtBytes& bwt, const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.invert(bwt, options); });
  }
  std::vector<KmerFrequencies> count_kmers(const BothStrandsView& text,
                                           std::span<const std::uint64_t> lengths,
                                           const BuildOptions& options) override {
    return devices_.ask(
        [&](Backend& backend) { return backend.count_kmers(text, lengths, options); });
  }
  std::optional<BuildPlan> plan_kmers(const BothStrandsView& text,
                                      std::span<const std::uint64_t> lengths,
                                      const BuildOptions& options) override {
    return devices_.ask(
        [&](Backend& backend) { return backend.plan_kmers(text, lengths, options); });
  }
  std::optional<SharedLengths> share_lengths(const BothStrandsView& text,
                                             const BuildOptions& options) override {
    return devices_.ask([&](Backend& backend) { return backend.share_lengths(text, options); });
  }
  std::optional<BuildPlan> plan_shared_lengths(const BothStrandsView& text,
                                               const BuildOptions& options) override {
    return devices_.ask(
        [&](Backend& backend) { return backend.plan_shared_lengths(text, options); });
  }
  std::optional<Buffer<std::uint16_t>> count_near_kmers(const BothStrandsView& text,
                                                        const NearKmers& near,
                                                        std::span<const std::uint16_t> exact,
                                                        const BuildOptions& options) override {
    return devices_.ask(
        [&](Backend& backend) { return backend.count_near_kmers(text, near, exact, options); });
  }
  std::optional<BuildPlan> plan_near_kmers(const BothStrandsView& text, const NearKmers& near,
                                           const BuildOptions& options) override {
    return devices_.ask(
        [&](Backend& backend) { return backend.plan_near_kmers(text, near, options); });
  }
  int search_threads(int cores) const override {
    return (second_searches_ ? devices_.second() : devices_.first()).search_threads(cores);
  }
  std::unique_ptr<Searcher> open(const Index& index, int threads,
                                 const SearchMemory& memory) override {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<Searcher> {
      std::unique_ptr<Searcher> searcher = backend.open(index, threads, memory);
      second_searches_ = &backend == &devices_.second();
      if (second_searches_) return searcher;
      return std::make_unique<FallbackSearcher>(
          std::move(searcher),
          [this, &index, threads, memory] {
            return devices_.second().open(index, threads, memory);
          },
          searcher_failed_);
    });
  }
  std::unique_ptr<MismatchSearcher> open_mismatches(const MismatchTarget& target, int threads,
                                                    const SearchMemory& memory) override {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<MismatchSearcher> {
      std::unique_ptr<MismatchSearcher> searcher = backend.open_mismatches(target, threads, memory);
      second_searches_ = &backend == &devices_.second();
      if (second_searches_) return searcher;
      return std::make_unique<FallbackMismatchSearcher>(
          std::move(searcher),
          [this, target, threads, memory] {
            return devices_.second().open_mismatches(target, threads, memory);
          },
          searcher_failed_);
    });
  }
  std::unique_ptr<MatchSearcher> open_matches(const Index& index, int threads,
                                              const SearchMemory& memory) override {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<MatchSearcher> {
      std::unique_ptr<MatchSearcher> searcher = backend.open_matches(index, threads, memory);
      second_searches_ = &backend == &devices_.second();
      if (second_searches_) return searcher;
      return std::make_unique<FallbackMatchSearcher>(
          std::move(searcher),
          [this, &index, threads, memory] {
            return devices_.second().open_matches(index, threads, memory);
          },
          searcher_failed_);
    });
  }
  std::unique_ptr<PairSearcher> open_pairs(const PairSetup& setup) override {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<PairSearcher> {
      std::unique_ptr<PairSearcher> searcher = backend.open_pairs(setup);
      second_searches_ = &backend == &devices_.second();
      if (second_searches_) return searcher;
      return std::make_unique<FallbackPairSearcher>(
          std::move(searcher), [this, setup] { return devices_.second().open_pairs(setup); },
          searcher_failed_);
    });
  }
  std::unique_ptr<NeighborFinder> open_neighbors() override {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<NeighborFinder> {
      std::unique_ptr<NeighborFinder> finder = backend.open_neighbors();
      if (&backend == &devices_.second()) return finder;
      return std::make_unique<FallbackNeighborFinder>(
          std::move(finder), [this] { return devices_.second().open_neighbors(); },
          searcher_failed_);
    });
  }
  std::unique_ptr<PrefixFinder> open_prefixes(const PrefixSet& set, int threads) override {
    return devices_.ask([&](Backend& backend) -> std::unique_ptr<PrefixFinder> {
      std::unique_ptr<PrefixFinder> finder = backend.open_prefixes(set, threads);
      if (&backend == &devices_.second()) return finder;
      return std::make_unique<FallbackPrefixFinder>(
          std::move(finder),
          [this, &set, threads] { return devices_.second().open_prefixes(set, threads); },
          searcher_failed_);
    });
  }

 private:
  /// Gives `take` what build(device, take) gives on the first device, or on the second if the first
  /// fails. A part that was handed over cannot be taken back, so the first device's parts are held
  /// until all of them are there.
  template <class Part, class Build>
  void hand_over(const std::function<void(Part)>& take, const Build& build) {
    std::vector<Part> parts;
    const bool by_first = devices_.ask([&](Backend& backend) {
      if (&backend != &devices_.first()) return false;
      build(backend, [&](Part part) { parts.push_back(std::move(part)); });
      return true;
    });
    if (by_first) {
      for (Part& part : parts)
        take(std::move(part));
    } else {
      parts.clear();
      build(devices_.second(), take);
    }
  }

  FirstOrSecond<Backend> devices_;
  bool second_searches_ = false;              ///< whether the last searcher is the second's
  std::atomic<bool> searcher_failed_{false};  ///< in the middle of its work
};

class FallbackVerifier final : public Verifier {
 public:
  FallbackVerifier(std::unique_ptr<Verifier> first, std::unique_ptr<Verifier> second)
      : devices_(std::move(first), std::move(second)) {}

  std::string name() const override { return devices_.name(devices_.failed()); }
  std::uint64_t peak_device_bytes() const override { return devices_.first().peak_device_bytes(); }
  std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                              int threads) override {
    return devices_.ask(
        [&](Verifier& verifier) { return verifier.find_wrong_row(text, rows, threads); });
  }
  std::uint64_t verify_bwt(const Index& index, int threads,
                           const ProgressReport& progress) override {
    return devices_.ask(
        [&](Verifier& verifier) { return verifier.verify_bwt(index, threads, progress); });
  }

 private:
  FirstOrSecond<Verifier> devices_;
};

}  // namespace

std::unique_ptr<Backend> make_fallback_backend(std::unique_ptr<Backend> first,
                                               std::unique_ptr<Backend> second) {
  return std::make_unique<FallbackBackend>(std::move(first), std::move(second));
}

std::unique_ptr<Verifier> make_fallback_verifier(std::unique_ptr<Verifier> first,
                                                 std::unique_ptr<Verifier> second) {
  return std::make_unique<FallbackVerifier>(std::move(first), std::move(second));
}

}  // namespace gsx
