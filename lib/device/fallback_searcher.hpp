// Searchers of a device for which the CPU stands in when it fails.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "device/searcher_and_second.hpp"
#include "search/exact/hit_chunks.hpp"
#include "search/exact/searcher.hpp"
#include "search/matches/match_chunks.hpp"
#include "search/matches/pair_searcher.hpp"
#include "search/sets/neighbors.hpp"
#include "search/sets/prefix_finder.hpp"

namespace gsx {

/// A searcher of any kind (search/searcher_of.hpp): the second does the batch that the first failed
/// at, from where it failed, and all that follow. Kinds whose searchers have another interface
/// stand below.
template <class Kind>
class FallbackSearcher final : public Kind::Searcher {
 public:
  using Some = typename Kind::Searcher;
  using Batch = typename Kind::Batch;

  FallbackSearcher(std::unique_ptr<Some> first, typename SearcherAndSecond<Some>::Open open_second,
                   std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void count(const Batch& batch, typename Kind::CountRequest request,
             typename Kind::Counts& counts) const override {
    count(batch, request, counts, nullptr);
  }
  void stream(const Batch& batch, const typename Kind::Request& request,
              const typename Kind::Sink& sink) const override {
    stream(batch, request, sink, nullptr);
  }
  std::unique_ptr<Some> start(const Batch& batch,
                              const StartRequest<Kind>& request) const override {
    std::unique_ptr<Some> started;
    both_.try_first([&] { started = both_.first().start(batch, request); }, [] { return false; });
    if (!started) return nullptr;
    return std::make_unique<Started>(*this, std::move(started));
  }
  std::size_t best_batch() const override { return both_.first().best_batch(); }
  bool takes_packed() const override { return both_.first().takes_packed(); }

 private:
  /// What the first has started, for which the second stands in, too.
  class Started final : public Some {
   public:
    Started(const FallbackSearcher& both, std::unique_ptr<Some> started)
        : both_(both), started_(std::move(started)) {}
    void count(const Batch& batch, typename Kind::CountRequest request,
               typename Kind::Counts& counts) const override {
      both_.count(batch, request, counts, started_.get());
    }
    void stream(const Batch& batch, const typename Kind::Request& request,
                const typename Kind::Sink& sink) const override {
      both_.stream(batch, request, sink, started_.get());
    }
    bool takes_packed() const override { return started_->takes_packed(); }

   private:
    const FallbackSearcher& both_;
    std::unique_ptr<Some> started_;
  };

  void count(const Batch& batch, typename Kind::CountRequest request, typename Kind::Counts& counts,
             const Some* started) const {
    both_.count(
        [&](const Some& searcher) {
          with_taken(searcher, batch,
                     [&](const Batch& taken) { searcher.count(taken, request, counts); });
        },
        started);
  }
  void stream(const Batch& batch, const typename Kind::Request& request,
              const typename Kind::Sink& sink, const Some* started) const {
    both_.template stream<typename Kind::Progress>(
        batch, sink,
        [&](const Some& searcher, const Batch& some, const typename Kind::Sink& pass_on) {
          with_taken(searcher, some,
                     [&](const Batch& taken) { searcher.stream(taken, request, pass_on); });
        },
        started);
  }
  /// Calls search(batch) with a batch as the searcher takes it.
  template <class Search>
  static void with_taken(const Some& searcher, const Batch& batch, const Search& search) {
    if constexpr (requires { batch.are_packed(); }) {
      if (batch.are_packed() && !searcher.takes_packed())
        return search(UnpackedPatterns(batch).patterns());
    }
    search(batch);
  }

  SearcherAndSecond<Some> both_;
};

/// Each call gives the same pairs in the same order on any device, so the second leaves out as many
/// as the first has given.
template <>
class FallbackSearcher<PairSearch> final : public PairSearcher {
 public:
  FallbackSearcher(std::unique_ptr<PairSearcher> first,
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

/// Each device gives the same lists in the same order, so the second leaves out as many as the
/// first has given.
template <>
class FallbackSearcher<NeighborSearch> final : public NeighborFinder {
 public:
  FallbackSearcher(std::unique_ptr<NeighborFinder> first,
                   SearcherAndSecond<NeighborFinder>::Open open_second, std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void find(const SequenceSet& first, const SequenceSet* second, const NeighborRequest& request,
            const NeighborOptions& options, const TakeNeighbors& take) override {
    std::uint64_t given = 0;
    bool in_sink = false;
    const TakeNeighbors pass_on = [&](const NeighborChunk& chunk) {
      if (chunk.end <= given) return;
      in_sink = true;
      if (chunk.begin < given) {
        take_rest(chunk, given, take);
      } else {
        take(chunk);
      }
      in_sink = false;
      given = chunk.end;
    };
    if (both_.try_first([&] { both_.first().find(first, second, request, options, pass_on); },
                        [&] { return in_sink; })) {
      return;
    }
    both_.second().find(first, second, request, options, pass_on);
  }

 private:
  /// The lists of a chunk from sequence `begin` on.
  static void take_rest(const NeighborChunk& chunk, std::uint64_t begin,
                        const TakeNeighbors& take) {
    const std::uint64_t* const from = chunk.offsets + (begin - chunk.begin);
    std::vector<std::uint64_t> offsets(from, chunk.offsets + (chunk.end - chunk.begin) + 1);
    for (std::uint64_t& offset : offsets)
      offset -= *from;
    take({begin, chunk.end, offsets.data(), chunk.others + *from});
  }

  SearcherAndSecond<NeighborFinder> both_;
};

template <>
class FallbackSearcher<PrefixSearch> final : public PrefixFinder {
 public:
  FallbackSearcher(std::unique_ptr<PrefixFinder> first,
                   SearcherAndSecond<PrefixFinder>::Open open_second, std::atomic<bool>& failed)
      : both_(std::move(first), std::move(open_second), failed) {}

  void find(std::span<const std::string_view> sequences,
            std::span<std::uint32_t> found) const override {
    both_.count([&](const PrefixFinder& finder) { finder.find(sequences, found); });
  }

 private:
  SearcherAndSecond<PrefixFinder> both_;
};

}  // namespace gsx
