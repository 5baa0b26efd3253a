#include "kernels/scan/cuda_seed_searcher.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/device.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/scan/seed_slice.hpp"
#include "scan/place_collector.hpp"

namespace gsx::cuda {
namespace {

/// Pieces below this have so many rows that a scan costs less.
constexpr std::uint32_t least_piece = 8;

/// Seconds: of the host to prepare a pattern, and of the device to begin, to look up a piece, and
/// to compare a place.
constexpr double pattern_cost = 0.5e-6, launch_cost = 2e-4, piece_cost = 4e-9, place_cost = 0.3e-9;

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
    return pattern_cost * static_cast<double>(patterns.size()) + options_.threads * launch_cost +
           searches;
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const CurrentDevice current(pool_->device());
    counts.reset(patterns.size(), request.mismatches);
    PlaceCounter counter(patterns, request, scan_, counts);
    run(patterns, request, counter);
  }

  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override {
    const CurrentDevice current(pool_->device());
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    PlaceCollector collector(patterns, request, {.hits_at_once = options_.search.host_hits}, scan_,
                             callers);
    run(patterns, request, collector);
    collector.finish();
  }

 private:
  /// What lies on the device.
  struct Placed {
    Placed(const Index& host, MemoryPool& pool, const DevicePlacement& placement,
           Transfer& transfer)
        : index(host, placement, transfer, {stream.get(), &pool}), lanes(pool) {
      index.add_extras({stream.get(), &pool});
    }

    Stream stream;
    SearchIndex<Pos> index;
    mutable SearchLanes lanes;
  };

  /// The places of some patterns, pattern by pattern.
  struct FoundPlaces {
    std::vector<Hit> hits;
    std::vector<std::uint64_t> ends;
    std::vector<std::uint8_t> is_scanned;  ///< whether the places of a pattern are left to the scan
  };

  /// Gives `taker` the places of all patterns.
  template <class Taker>
  void run(const SetPatterns& patterns, const MismatchRequest& request, Taker& taker) const {
    const Placed& placed = place();
    const SearchLanes::Guard lane = placed.lanes.take();
    std::uint64_t most = tuning::patterns_at_once / (request.mismatches + 1) + 1;
    SeedPatterns seeds;
    FoundPlaces found;
    for (std::size_t first = 0; first < patterns.size();) {
      std::size_t last = first + 1;
      while (last < patterns.size() && last - first < most &&
             patterns.ends[last] - patterns.begin_of(first) <= tuning::codes_at_once)
        ++last;
      if (!find(placed, *lane, patterns.some(first, last), request, seeds, found)) {
        most = std::max<std::uint64_t>(1, (last - first) / 2);
        continue;
      }
      std::uint64_t at = 0;
      for (std::size_t i = 0; i < last - first; ++i) {
        if (found.is_scanned[i] != 0) taker.scan();
        for (; at < found.ends[i]; ++at)
          taker.take(found.hits[at]);
        taker.end_pattern();
      }
      first = last;
    }
  }

  /// Finds the places of some patterns. False if there is too little memory, but enough for fewer
  /// patterns.
  bool find(const Placed& placed, SearchLane& lane, const SetPatterns& patterns,
            const MismatchRequest& request, SeedPatterns& seeds, FoundPlaces& found) const {
    const bool single = patterns.size() == 1;
    try {
      seeds.prepare(patterns, request.mismatches, least_piece);
      found.is_scanned.assign(patterns.size(), 0);
      for (std::size_t i = 0; i < patterns.size(); ++i)
        found.is_scanned[i] = seeds.entries()[i].way == SeedWay::scan ? 1 : 0;
      const SeedRequest asked{.strands = request.strands,
                              .mismatches = request.mismatches,
                              .verify = options_.search.verify,
                              .room = options_.first_room != 0
                                          ? options_.first_room
                                          : lane.expected_hits(patterns.size()),
                              .most = std::max<std::uint64_t>(1, options_.search.device_hits)};
      const SeedSlice<Pos> slice(lane, placed.index.view(), seeds, asked);
      if (slice.size() > asked.most) {
        if (!single) return false;
        found.is_scanned[0] = 1;
        found.hits.clear();
        found.ends.assign(1, 0);
        return true;
      }
      lane.note_hits(patterns.size(), slice.size());
      sort_by_pattern(slice, patterns.size(), found);
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

  static void sort_by_pattern(const SeedSlice<Pos>& slice, std::size_t patterns,
                              FoundPlaces& found) {
    found.ends.assign(patterns + 1, 0);
    for (const std::uint32_t pattern : slice.patterns())
      ++found.ends[pattern + 1];
    for (std::size_t i = 1; i <= patterns; ++i)
      found.ends[i] += found.ends[i - 1];
    found.hits.resize(slice.size());
    for (std::uint64_t i = 0; i < slice.size(); ++i)
      found.hits[found.ends[slice.patterns()[i]]++] = slice.hits()[i];
    found.ends.pop_back();  // each begin has become an end
  }

  /// Places the index on the device, once.
  const Placed& place() const {
    const std::lock_guard lock(placing_);
    if (!placed_) {
      DevicePlacement placement = plan_placement(index_, sizeof(Pos), pool_->available());
      if (!options_.search.whole_suffix_array) placement.whole_suffix_array = false;
      require_device_bytes(*pool_, placement.bytes, "the index");
      log().debug("GPU memory for the index: {} bytes{}", placement.bytes,
                  placement.whole_suffix_array ? ", the whole suffix array among them" : "");
      placed_.emplace(index_, *pool_, placement, transfer_);
    }
    return *placed_;
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
