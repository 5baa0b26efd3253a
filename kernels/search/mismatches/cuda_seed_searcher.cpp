#include "kernels/search/mismatches/cuda_seed_searcher.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "kernels/base/current_device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/placed_index.hpp"
#include "kernels/search/mismatches/seed_slice.hpp"

namespace gsx::cuda {
namespace {

/// Pieces below this have so many rows that a scan costs less.
constexpr std::uint32_t least_piece = 8;

/// Seconds: of the host to prepare a pattern, and of the device to begin, to look up a piece, and
/// to compare a place.
constexpr double pattern_cost = 0.1e-6, launches_cost = 2e-4, piece_cost = 4e-9,
                 place_cost = 0.3e-9;

/// How many times more rows than in random text a piece of a few bases has in a genome.
constexpr double skew = 4;

template <class Pos>
class CudaSeedSearcher final : public MismatchWay {
 public:
  CudaSeedSearcher(const Index& index, std::shared_ptr<MemoryPool> pool, Transfer& transfer,
                   const MismatchWay& scan, const SeedOptions& options)
      : index_(index),
        pool_(std::move(pool)),
        transfer_(transfer),
        scan_(scan),
        options_(options) {}
  ~CudaSeedSearcher() override {
    const CurrentDevice current(pool_->device(), std::nothrow);
    placed_.reset();
  }

  std::string_view name() const override { return "seeds on the GPU"; }

  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override {
    const double strands = request.strands == Strands::both ? 2 : 1;
    const auto length = static_cast<double>(index_.text().length());
    SeedCutter cutter;
    std::vector<SeedPiece> pieces;
    const auto is_short = [](const SeedPiece& piece) { return piece.length < least_piece; };
    const double searches = sum_of_costs(patterns, request.mismatches, [&](std::size_t i) {
      if (!cutter.cut(patterns[i], request.mismatches, pieces) ||
          std::any_of(pieces.begin(), pieces.end(), is_short))
        return scan_.cost(patterns.some(i, i + 1), request);  // run() leaves it to the scan
      double device = 0;
      for (const SeedPiece& piece : pieces) {
        const int bits = 2 * static_cast<int>(std::min<std::uint32_t>(piece.length, 64));
        const double rows = 1 + skew * std::ldexp(length, -bits);
        device += strands * (piece_cost + rows * place_cost);
      }
      return options_.threads * device;
    });
    return pattern_cost * static_cast<double>(patterns.size()) + options_.threads * launches_cost +
           searches;
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const CurrentDevice current(pool_->device());
    counts.reset(patterns.size(), request.mismatches);
    run(patterns, request, false, [&](const FoundSlice& found) {
      const std::span<const std::uint64_t> some = found.slice->class_counts();
      std::ranges::copy(some, counts.all().subspan(found.first * 2 * counts.classes()).begin());
      for (std::size_t i = 0; i < found.patterns.size(); ++i) {
        if (!found.is_scanned(i)) continue;
        MismatchCounts own;
        scan_.count(found.patterns.some(i, i + 1), request, own);
        counts.put(found.first + i, own);
      }
    });
  }

  void stream(const SetPatterns& patterns, const MismatchRequest& request,
              const HitSink& sink) const override {
    const CurrentDevice current(pool_->device());
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    run(patterns, request, true, [&](const FoundSlice& found) { give(found, request, callers); });
  }

 private:
  /// What lies on the device.
  struct Placed {
    Placed(const Index& host, const std::shared_ptr<MemoryPool>& pool, Transfer& transfer,
           const SearcherOptions& options)
        : index(host, pool, transfer, options.whole_suffix_array, options.extras),
          lanes(*pool, Waiting::asleep) {}

    PlacedIndex<Pos> index;
    mutable SearchLanes lanes;
  };

  /// Some patterns that have been searched.
  struct FoundSlice {
    std::size_t first = 0;  ///< the number of the first in the batch
    SetPatterns patterns;
    SeedPatterns seeds;
    std::optional<SeedSlice<Pos>> slice;
    bool too_many = false;  ///< places of the only pattern

    /// Whether the places of a pattern are left to the scan.
    bool is_scanned(std::size_t i) const {
      return too_many || seeds.entries()[i].way == SeedWay::scan;
    }
  };

  /// Searches all patterns, some at a time, and calls take(found).
  template <class Take>
  void run(const SetPatterns& patterns, const MismatchRequest& request, bool locates,
           const Take& take) const {
    const Placed& placed = place();
    const SearchLanes::Guard lane = placed.lanes.take();
    std::uint64_t most = std::min<std::uint64_t>(
        tuning::patterns_at_once / (request.mismatches + 1) + 1, HitRecord::most_patterns);
    FoundSlice found;
    while (found.first < patterns.size()) {
      const std::size_t first = found.first;
      std::size_t last = first + 1;
      while (last < patterns.size() && last - first < most &&
             patterns.ends[last] - patterns.begin_of(first) <= tuning::codes_at_once)
        ++last;
      found.patterns = patterns.some(first, last);
      if (find(placed, *lane, request, locates, found)) {
        take(found);
        found.first = last;
      } else {
        most = std::max<std::uint64_t>(1, (last - first) / 2);
      }
    }
  }

  /// Searches some patterns. False if there is too little memory, but enough for fewer patterns.
  bool find(const Placed& placed, SearchLane& lane, const MismatchRequest& request, bool locates,
            FoundSlice& found) const {
    const std::size_t patterns = found.patterns.size();
    const bool single = patterns == 1;
    try {
      found.seeds.prepare(found.patterns, request.mismatches, least_piece);
      const std::uint64_t most = std::max<std::uint64_t>(1, options_.search.device_hits);
      const std::uint64_t room =
          options_.first_room != 0 ? options_.first_room : lane.expected_hits(patterns);
      const SeedSliceOptions options{.verify = options_.search.verify,
                                     .locates = locates,
                                     .room = std::min(room, most),
                                     .most = most};
      found.slice.emplace(lane, placed.index.view(found.patterns.symbols()), found.patterns,
                          found.seeds, request, options);
      found.too_many = found.slice->places() > options.most;
      if (found.too_many) return single;
      if (locates) lane.note_hits(patterns, found.slice->places());
      return true;
    } catch (const ResourceError&) {
      lane.release();
      placed.lanes.release_idle();
      if (single) throw;
    } catch (const std::bad_alloc&) {
      lane.release();
      if (single) throw;
    }
    return false;
  }

  /// Gives the places of some patterns, as many at a time as the host may hold. Those of a pattern
  /// with more are left to the scan.
  void give(const FoundSlice& found, const MismatchRequest& request, const HitSink& sink) const {
    const SeedSlice<Pos>& slice = *found.slice;
    const std::uint64_t most = std::max<std::uint64_t>(1, options_.search.host_hits);
    std::size_t next = 0;     // the first pattern that has not been given
    std::uint64_t begin = 0;  // of its hits
    std::vector<std::uint64_t> ends;
    const auto give_before = [&](std::size_t end) {
      if (next == end) return;
      const auto some = slice.ends().subspan(next, end - next);
      ends.resize(some.size());
      std::ranges::transform(some, ends.begin(), [&](std::uint64_t e) { return e - begin; });
      sink({found.first + next, 0, request.max_hits, slice.counts().subspan(next, end - next), ends,
            slice.hits().subspan(begin, ends.back())});
      next = end;
      begin += ends.back();
    };
    for (std::size_t i = 0; i < found.patterns.size(); ++i) {
      const std::uint64_t own_begin = i == 0 ? 0 : slice.ends()[i - 1], end = slice.ends()[i];
      const bool scanned = found.is_scanned(i) || end - own_begin > most;
      if (scanned || end - begin > most) give_before(i);
      if (!scanned) continue;
      scan_.stream(found.patterns.some(i, i + 1), request, [&](HitChunk chunk) {
        chunk.first += found.first + i;
        sink(chunk);
      });
      next = i + 1;
      begin = end;
    }
    give_before(found.patterns.size());
  }

  /// Places the index on the device, once.
  const Placed& place() const {
    const std::lock_guard lock(placing_);
    if (placed_) return *placed_;
    SearcherOptions search = options_.search;
    search.extras.suffix_array_at_once = true;
    return placed_.emplace(index_, pool_, transfer_, search);
  }

  const Index& index_;
  std::shared_ptr<MemoryPool> pool_;
  Transfer& transfer_;
  const MismatchWay& scan_;
  SeedOptions options_;
  mutable std::mutex placing_;
  mutable std::optional<Placed> placed_;
};

}  // namespace

std::unique_ptr<MismatchWay> make_seed_searcher(const Index& index,
                                                std::shared_ptr<MemoryPool> pool,
                                                Transfer& transfer, const MismatchWay& scan,
                                                const SeedOptions& options) {
  if (is_wide(index.meta().length, options.search.width)) {
    return std::make_unique<CudaSeedSearcher<std::uint64_t>>(index, std::move(pool), transfer, scan,
                                                             options);
  }
  return std::make_unique<CudaSeedSearcher<std::uint32_t>>(index, std::move(pool), transfer, scan,
                                                           options);
}

}  // namespace gsx::cuda
