// Finds the products of pairs of primers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/primers/primers.hpp"
#include "analysis/primers/products.hpp"
#include "analysis/primers/record_axis.hpp"
#include "base/ordered_pipeline.hpp"
#include "search/mismatches/mismatches.hpp"
#include "text/place_parts.hpp"
#include "text/text.hpp"

namespace gsx {

/// The places of both primers of a pair.
using PairPlaces = std::array<PrimerPlaces, 2>;

/// Searches primers, and pairs their places on several threads.
class AmpliconSearch {
 public:
  /// `most_places` bounds the places of a pair, of 8 bytes each. The `circular` records ascend; the
  /// searcher finds the places that span their origins. Only products within one of the regions
  /// count, if there are such.
  AmpliconSearch(const TextView& text, const RecordsView& records, const PrimerRules& primers,
                 const ProductRules& products, std::uint64_t most_places,
                 std::span<const std::uint64_t> circular = {}, const TextRegions* regions = nullptr)
      : text_(text),
        records_(records),
        axis_(records, circular, regions),
        primers_(primers),
        products_(products),
        most_places_(most_places) {}

  const RecordAxis& axis() const { return axis_; }

  /// Searches the primers of a batch, and gives each pair to a worker. Up to `threads` threads have
  /// one each, of make_worker(). A worker has a type Result, and these functions:
  ///   take(i, products, turn)  pair i of the batch, in parallel with other threads. May wait for
  ///                            the turn, and then do part of what commit() does
  ///   result()                 the Result of what it took since it was last asked
  ///   commit(result)           one at a time, in the order of the pairs, over all threads; leaves
  ///                            it empty
  /// Memory: what the searcher holds, and 8 bytes per place of a pair and thread. Throws
  /// ResourceError if a pair has too many places.
  template <class MakeWorker>
  void search(const MismatchSearcher& searcher, const PrimerBatch& batch, int threads,
              const MakeWorker& make_worker) const;

 private:
  /// Whole pairs [first, last) of a chunk, for one thread; or the pair that came in parts.
  struct Task {
    std::uint64_t number = 0;
    std::size_t first = 0;
    std::size_t last = 0;
  };
  class Chunk;
  template <class Worker>
  class PairWorker;

  void add(const PrimerBatch& batch, std::size_t pattern, std::span<const Hit> hits,
           PairPlaces& places) const;
  bool has_end(const Hit& hit, const PlaceParts& parts, std::span<const BaseSet> pattern) const;
  template <class MakeWorker>
  void pair_up(const PrimerBatch& batch, const Chunk* chunk, const std::vector<Task>& tasks,
               const PairPlaces& parted, int threads, const MakeWorker& make_worker) const;

  TextView text_;
  RecordsView records_;
  RecordAxis axis_;
  PrimerRules primers_;
  ProductRules products_;
  std::uint64_t most_places_;
};

/// Hits of some patterns.
class AmpliconSearch::Chunk {
 public:
  explicit Chunk(const HitChunk& hits) : hits_(hits) {}

  std::size_t begin() const { return hits_.first; }
  std::size_t end() const { return hits_.first + hits_.patterns(); }
  std::span<const Hit> hits_of(std::size_t pattern) const {
    const std::size_t i = pattern - hits_.first;
    const std::uint64_t begin = i == 0 ? 0 : hits_.ends[i - 1];
    return hits_.hits.subspan(begin, hits_.ends[i] - begin);
  }
  /// Whether a pattern has hits in later chunks.
  bool goes_on(std::size_t pattern) const {
    const std::size_t i = pattern - hits_.first;
    return (i == 0 ? hits_.before : 0) + hits_of(pattern).size() < hits_.counts[i].total();
  }
  /// Whether all hits of a pair are here.
  bool has_pair(std::size_t pair) const {
    const std::size_t forward = 2 * pair, reverse = forward + 1;
    if (forward < begin() || reverse >= end()) return false;
    return (forward > begin() || hits_.before == 0) && !goes_on(forward) && !goes_on(reverse);
  }
  /// Cuts pairs [first, last) into tasks of some thousand hits or pairs.
  std::vector<Task> tasks(std::size_t first, std::size_t last) const;

 private:
  const HitChunk& hits_;
};

/// What one thread does with the pairs of a chunk.
template <class Worker>
class AmpliconSearch::PairWorker {
 public:
  PairWorker(const AmpliconSearch& search, const PrimerBatch& batch, const Chunk* chunk,
             const PairPlaces& parted, Worker worker)
      : search_(search),
        batch_(batch),
        chunk_(chunk),
        parted_(parted),
        worker_(std::move(worker)) {}

  typename Worker::Result& prepare(const Task& task, const ItemTurn& turn) {
    for (std::size_t pair = task.first; pair < task.last; ++pair) {
      if (chunk_ == nullptr) {
        take(pair, parted_, turn);
        continue;
      }
      for (PrimerPlaces& of_one : places_)
        of_one.clear();
      for (const std::size_t pattern : {2 * pair, 2 * pair + 1})
        search_.add(batch_, pattern, chunk_->hits_of(pattern), places_);
      for (PrimerPlaces& of_one : places_)
        of_one.join_ends();
      take(pair, places_, turn);
    }
    return worker_.result();
  }
  void commit(typename Worker::Result& result) { worker_.commit(result); }

 private:
  void take(std::size_t pair, const PairPlaces& places, const ItemTurn& turn) {
    worker_.take(pair, ProductFinder(places[0], places[1], search_.axis_, search_.products_), turn);
  }

  const AmpliconSearch& search_;
  const PrimerBatch& batch_;
  const Chunk* chunk_;
  const PairPlaces& parted_;
  Worker worker_;
  PairPlaces places_;
};

/// Pairs the places of the tasks' pairs: those of a chunk, or else the ones that came in parts.
template <class MakeWorker>
void AmpliconSearch::pair_up(const PrimerBatch& batch, const Chunk* chunk,
                             const std::vector<Task>& tasks, const PairPlaces& parted, int threads,
                             const MakeWorker& make_worker) const {
  using Worker = decltype(make_worker());
  std::atomic<std::uint64_t> taken{0};
  const auto next = [&](Task& task) {
    task.number = taken.fetch_add(1);
    if (task.number >= tasks.size()) return false;
    task = tasks[task.number];
    return true;
  };
  run_and_hand_over<typename Worker::Result, Task>(
      next,
      static_cast<int>(std::min<std::size_t>(tasks.size(), static_cast<std::size_t>(threads))),
      [&] { return PairWorker<Worker>(*this, batch, chunk, parted, make_worker()); });
}

template <class MakeWorker>
void AmpliconSearch::search(const MismatchSearcher& searcher, const PrimerBatch& batch, int threads,
                            const MakeWorker& make_worker) const {
  PairPlaces parted;  // of the pair whose hits come in several chunks
  const MismatchRequest request{Strands::both, primers_.mismatches};
  searcher.stream(batch.patterns.patterns(), request, [&](const HitChunk& hits) {
    const Chunk chunk(hits);
    for (std::size_t pattern = chunk.begin(); pattern < chunk.end();) {
      const std::size_t pair = pattern / 2;
      if (pattern % 2 == 0 && chunk.has_pair(pair)) {
        std::size_t last = pair + 1;
        while (chunk.has_pair(last))
          ++last;
        pair_up(batch, &chunk, chunk.tasks(pair, last), parted, threads, make_worker);
        pattern = 2 * last;
        continue;
      }
      add(batch, pattern, chunk.hits_of(pattern), parted);
      if (pattern % 2 == 1 && !chunk.goes_on(pattern)) {
        for (PrimerPlaces& of_one : parted)
          of_one.join_ends();
        pair_up(batch, nullptr, {{0, pair, pair + 1}}, parted, 1, make_worker);
        parted = {};
      }
      ++pattern;
    }
  });
}

}  // namespace gsx
