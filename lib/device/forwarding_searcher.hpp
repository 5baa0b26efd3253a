// Searchers of several devices that work as one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "search/exact/hit_chunks.hpp"
#include "search/exact/searcher.hpp"
#include "search/matches/match_chunks.hpp"
#include "search/matches/pair_searcher.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_finder.hpp"

namespace gsx {

/// A searcher of any kind (search/searcher_of.hpp) that hands each batch to one of those that `Way`
/// has: to the least busy one (multi_device.cpp), or to a second one where the first fails
/// (fallback.cpp). Kinds whose searchers have another interface stand below. A way has
///   ask(call, started)           calls call(searcher), with `started` if that is not null;
///   stream<Progress>(sink, give, started)
///                                calls give(searcher, sink, done), where `done` patterns have been
///                                given to the sink before, as Progress knows;
///   start(begin)                 what begin(searcher) has started: its `searcher`, null if none,
///                                and what holds the way meanwhile;
///   tell(what)                   calls what(searcher) with each that may be asked later;
///   front(), all_are(holds)      the first, and whether holds(searcher) for all that are asked.
template <class Kind, template <class> class Way>
class ForwardingSearcher final : public Kind::Searcher {
 public:
  using Some = typename Kind::Searcher;
  using Batch = typename Kind::Batch;

  template <class... Values>
  explicit ForwardingSearcher(std::in_place_t, Values&&... of_way)
      : way_(std::make_shared<Way<Some>>(std::forward<Values>(of_way)...)) {}

  void count(const Batch& batch, typename Kind::CountRequest request,
             typename Kind::Counts& counts) const override {
    way_->ask(
        [&](const Some& searcher) {
          with_taken(searcher, batch,
                     [&](const Batch& taken) { searcher.count(taken, request, counts); });
        },
        started_.searcher.get());
  }
  void stream(const Batch& batch, const typename Kind::Request& request,
              const typename Kind::Sink& sink) const override {
    using Sink = typename Kind::Sink;
    way_->template stream<typename Kind::Progress>(
        sink,
        [&](const Some& searcher, const Sink& pass_on, std::size_t done) {
          const Batch left = done == 0 ? batch : batch.some(done, batch.size());
          with_taken(searcher, left, [&](const Batch& taken) {
            if (done == 0) return searcher.stream(taken, request, pass_on);
            searcher.stream(taken, request, [&](auto chunk) {
              chunk.first += done;
              pass_on(chunk);
            });
          });
        },
        started_.searcher.get());
  }
  std::unique_ptr<Some> start(const Batch& batch,
                              const StartRequest<Kind>& request) const override {
    auto started =
        way_->start([&](const Some& searcher) { return searcher.start(batch, request); });
    if (!started.searcher) return nullptr;
    return std::unique_ptr<Some>(new ForwardingSearcher(way_, std::move(started)));
  }
  std::size_t best_batch() const override { return way_->front().best_batch(); }
  bool takes_packed() const override {
    if (started_.searcher) return started_.searcher->takes_packed();
    return way_->all_are([](const Some& searcher) { return searcher.takes_packed(); });
  }

 private:
  /// What has been started.
  ForwardingSearcher(std::shared_ptr<const Way<Some>> way, typename Way<Some>::Started started)
      : way_(std::move(way)), started_(std::move(started)) {}

  /// Calls search(batch) with a batch as the searcher takes it.
  template <class Search>
  static void with_taken(const Some& searcher, const Batch& batch, const Search& search) {
    if constexpr (requires { batch.are_packed(); }) {
      if (batch.are_packed() && !searcher.takes_packed())
        return search(UnpackedPatterns(batch).patterns());
    }
    search(batch);
  }

  std::shared_ptr<const Way<Some>> way_;
  typename Way<Some>::Started started_;  ///< with a searcher if this is one for one call
};

/// Each call gives the same pairs in the same order on any device, so another one leaves out as
/// many as the first has given.
class PairProgress {
 public:
  explicit PairProgress(const PairSink& sink) : sink_(sink) {}
  void pass_on(std::span<const MatchPair> pairs) {
    const std::uint64_t known = std::min<std::uint64_t>(given_ - seen_, pairs.size());
    seen_ += pairs.size();
    given_ = std::max(given_, seen_);
    if (known == pairs.size()) return;
    in_sink_ = true;
    sink_(pairs.subspan(known));
    in_sink_ = false;
  }
  /// Where to go on: all pairs come again.
  std::size_t pattern() { return seen_ = 0; }
  bool in_sink() const { return in_sink_; }

 private:
  const PairSink& sink_;
  std::uint64_t given_ = 0;
  std::uint64_t seen_ = 0;  ///< since they came again
  bool in_sink_ = false;
};

template <template <class> class Way>
class ForwardingSearcher<PairSearch, Way> final : public PairSearcher {
 public:
  template <class... Values>
  explicit ForwardingSearcher(std::in_place_t, Values&&... of_way)
      : way_(std::forward<Values>(of_way)...) {}

  void take(const PackedView& queries) override {
    way_.tell([queries](PairSearcher& searcher) { searcher.take(queries); });
  }
  void find(std::span<const PairPiece> pieces, const PairSink& sink) const override {
    way_.template stream<PairProgress>(
        sink, [&](const PairSearcher& searcher, const PairSink& pass_on, std::size_t) {
          searcher.find(pieces, pass_on);
        });
  }
  std::uint64_t best_places() const override { return way_.front().best_places(); }

 private:
  Way<PairSearcher> way_;
};

/// Each device gives the same lists in the same order, so another one leaves out those of as many
/// sequences as the first has given.
class NeighborProgress {
 public:
  explicit NeighborProgress(const TakeNeighbors& take) : take_(take) {}
  void pass_on(const NeighborChunk& chunk) {
    if (chunk.end <= given_) return;
    in_sink_ = true;
    if (chunk.begin < given_) {
      take_rest(chunk);
    } else {
      take_(chunk);
    }
    in_sink_ = false;
    given_ = chunk.end;
  }
  std::size_t pattern() const { return 0; }
  bool in_sink() const { return in_sink_; }

 private:
  /// The lists of a chunk from sequence given_ on.
  void take_rest(const NeighborChunk& chunk) const {
    const std::uint64_t* const from = chunk.offsets + (given_ - chunk.begin);
    std::vector<std::uint64_t> offsets(from, chunk.offsets + (chunk.end - chunk.begin) + 1);
    for (std::uint64_t& offset : offsets)
      offset -= *from;
    take_({given_, chunk.end, offsets.data(), chunk.others + *from});
  }

  const TakeNeighbors& take_;
  std::uint64_t given_ = 0;
  bool in_sink_ = false;
};

template <template <class> class Way>
class ForwardingSearcher<NeighborSearch, Way> final : public NeighborFinder {
 public:
  template <class... Values>
  explicit ForwardingSearcher(std::in_place_t, Values&&... of_way)
      : way_(std::forward<Values>(of_way)...) {}

  void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
            const NeighborOptions& options, const TakeNeighbors& take) override {
    way_.template stream<NeighborProgress>(
        take, [&](NeighborFinder& finder, const TakeNeighbors& pass_on, std::size_t) {
          finder.find(first, second, request, options, pass_on);
        });
  }

 private:
  Way<NeighborFinder> way_;
};

template <template <class> class Way>
class ForwardingSearcher<PrefixSearch, Way> final : public PrefixFinder {
 public:
  template <class... Values>
  explicit ForwardingSearcher(std::in_place_t, Values&&... of_way)
      : way_(std::forward<Values>(of_way)...) {}

  void find(std::span<const std::string_view> sequences,
            std::span<std::uint32_t> found) const override {
    way_.ask([&](const PrefixFinder& finder) { finder.find(sequences, found); });
  }

 private:
  Way<PrefixFinder> way_;
};

}  // namespace gsx
