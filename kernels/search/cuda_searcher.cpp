#include "kernels/search/cuda_searcher.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/tuning.hpp"
#include "kernels/search/hits.hpp"
#include "kernels/search/slice.hpp"
#include "search/hit_chunks.hpp"
#include "search/index_fault.hpp"

namespace gsx::cuda {
namespace {

template <class Pos>
class CudaSearcher final : public Searcher {
 public:
  CudaSearcher(const Index& index, std::shared_ptr<const PlacedIndex<Pos>> placed,
               const SearcherOptions& options)
      : placed_(std::move(placed)),
        complements_(index.alphabet().has_reverse_complement()),
        options_(options),
        lanes_(std::in_place, placed_->pool()) {}
  ~CudaSearcher() override {
    const CurrentDevice current(placed_->pool().device(), std::nothrow);
    lanes_.reset();
  }

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    counts.assign(patterns.size(), {});
    for_each_slice(patterns, [&](SearchLane& lane, std::uint64_t first, std::uint64_t last) {
      count_slice(lane, patterns.some(first, last), strands, counts.data() + first);
    });
  }

  std::size_t best_batch() const override { return std::size_t{1} << 15; }
  bool takes_packed() const override { return complements_; }  // it is DNA

  void stream_hits(const Patterns& patterns, const LocateRequest& request,
                   const HitSink& sink) const override {
    const CurrentDevice current(placed_->pool().device());
    const SearchLanes::Guard lane = lanes_->take();
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    HitProgress progress(callers);
    SliceSize size{tuning::patterns_at_once, std::max<std::uint64_t>(2, options_.device_hits)};
    while (progress.pattern() < patterns.size()) {
      const std::size_t first = progress.pattern(),
                        last = end_of_slice(patterns, first, size.patterns);
      try {
        stream_slice(*lane, patterns.some(first, last), first, request, size.hits, progress);
      } catch (const ResourceError&) {
        if (progress.in_sink() || !make_room(*lane, size, last - first)) throw;
      } catch (const std::bad_alloc&) {
        if (progress.in_sink() || !make_room(*lane, size, last - first)) throw;
      }
    }
  }

 private:
  /// How much is worked on at a time.
  struct SliceSize {
    std::uint64_t patterns;
    std::uint64_t hits = 0;

    /// Less than what a slice of so many patterns took; false when less is not possible.
    bool halve(std::uint64_t tried) {
      constexpr std::uint64_t least_hits = 1024;
      if (tried > 1) {
        patterns = tried / 2;
      } else if (hits > least_hits) {
        hits /= 2;
      } else {
        return false;
      }
      return true;
    }
  };

  /// After a slice of so many patterns found too little memory: gives back what lanes keep, and
  /// makes the next slice smaller; false when that is not possible.
  bool make_room(SearchLane& lane, SliceSize& size, std::uint64_t tried) const {
    lane.release();
    lanes_->release_idle();
    return size.halve(tried);
  }

  static std::size_t end_of_slice(const Patterns& patterns, std::size_t first, std::uint64_t most) {
    const std::uint64_t begin = patterns.begin_of(first);
    std::size_t last = first + 1;
    while (last < patterns.size() && last - first < most &&
           patterns.ends[last] - begin <= tuning::codes_at_once) {
      ++last;
    }
    return last;
  }

  /// Calls work(lane, first, last) for the patterns in slices that fit the memory, in order: each
  /// is halved as long as there is too little for it.
  template <class Work>
  void for_each_slice(const Patterns& patterns, const Work& work) const {
    const CurrentDevice current(placed_->pool().device());
    const SearchLanes::Guard lane = lanes_->take();
    SliceSize size{tuning::patterns_at_once};
    for (std::size_t first = 0; first < patterns.size();) {
      const std::size_t last = end_of_slice(patterns, first, size.patterns);
      try {
        work(*lane, first, last);
        first = last;
      } catch (const ResourceError&) {
        if (!make_room(*lane, size, last - first)) throw;
      } catch (const std::bad_alloc&) {
        if (!make_room(*lane, size, last - first)) throw;
      }
    }
  }

  SliceRequest request_for(Strands strands) const {
    return {.strands = strands, .complements = complements_, .verify = options_.verify};
  }

  void count_slice(SearchLane& lane, const Patterns& patterns, Strands strands,
                   StrandCounts* result) const {
    Slice<Pos> slice(lane, placed_->view(patterns.symbols()), patterns, request_for(strands));
    slice.count();
    std::ranges::copy(slice.counts(), result);
  }

  /// A slice on the device, and how many hits of each pattern are reported.
  struct LocateWork {
    SearchLane& lane;
    const Slice<Pos>& slice;
    std::size_t first;  ///< the first pattern's number in the batch
    std::uint64_t max_hits;
    std::uint64_t most;  ///< hits on the device
    HitProgress& progress;
  };

  /// Gives the hits of all `patterns`, the first of which has the number `first`.
  void stream_slice(SearchLane& lane, const Patterns& patterns, std::size_t first,
                    const LocateRequest& request, std::uint64_t most, HitProgress& progress) const {
    SliceRequest asked = request_for(request.strands);
    asked.locates = true;
    asked.hit_room = std::min({most, host_hits(), lane.expected_hits(patterns.size())});
    Slice<Pos> slice(lane, placed_->view(patterns.symbols()), patterns, asked);
    slice.locate(request.max_hits);
    lane.note_hits(patterns.size(), slice.ends().back());
    if (slice.has_hits()) {
      progress.pass_on({first, 0, request.max_hits, slice.counts(), slice.ends(), slice.hits()});
      return;
    }
    // What follows uses the memory of these.
    const std::vector<StrandCounts> counts(slice.counts().begin(), slice.counts().end());
    const std::vector<std::uint64_t> ends(slice.ends().begin(), slice.ends().end());
    const LocateWork work{lane, slice, first, request.max_hits, most, progress};
    for (std::size_t i = 0; i < ends.size();) {
      const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
      std::size_t stop = i + 1;
      while (stop < ends.size() && ends[stop] - begin <= most)
        ++stop;
      if (ends[stop - 1] - begin > most) {
        give_huge(work, i, counts[i], ends[i] - begin);
      } else {
        give_group(work, {counts.data() + i, stop - i}, i, {ends.data() + i, stop - i}, begin);
      }
      i = stop;
    }
  }

  static_assert(sizeof(Hit) == sizeof(std::uint64_t), "hits cross the bus as they are");

  std::uint64_t host_hits() const { return std::max<std::uint64_t>(1, options_.host_hits); }

  /// Hits of consecutive patterns, from the i-th on, all at once on the device.
  void give_group(const LocateWork& work, std::span<const StrandCounts> counts, std::size_t i,
                  std::span<const std::uint64_t> ends, std::uint64_t begin) const {
    DeviceBuffer<std::uint64_t> d_hits(ends.back() - begin, work.lane.stream());
    gather_hits(work.slice.index(), work.slice.jobs(), work.slice.found(),
                work.slice.ends_on_device(), i, i + ends.size(), d_hits, work.slice.fault_flag(),
                work.lane.stream());
    work.slice.check_fault();
    std::vector<std::uint64_t> own_ends(ends.begin(), ends.end());
    for (std::uint64_t& end : own_ends)
      end -= begin;
    std::vector<Hit> hits(std::min(d_hits.size(), host_hits()));
    const auto fetch = [&](std::uint64_t from, std::uint64_t count) -> std::span<const Hit> {
      work.lane.to_host(hits.data(), d_hits.data() + from, count * sizeof(Hit));
      return {hits.data(), count};
    };
    give_in_pieces({work.first + i, 0, work.max_hits, counts, own_ends, {}}, host_hits(), fetch,
                   [&](const HitChunk& chunk) { work.progress.pass_on(chunk); });
  }

  /// A pattern with more hits than are held on the device: those in one range of the text after
  /// another. All hits are found by reading the text; of some, first in suffix order, all are
  /// gathered for every range.
  void give_huge(const LocateWork& work, std::size_t i, const StrandCounts& counts,
                 std::uint64_t reported) const {
    const DeviceStream stream = work.lane.stream();
    DeviceBuffer<std::uint64_t> d_kept(work.most, stream), d_some;
    if (reported < counts.total()) d_some = DeviceBuffer<std::uint64_t>(work.most, stream);
    std::vector<Hit> hits(std::min(work.most, host_hits()));
    const std::uint64_t length = work.slice.index().text.length(), width = work.most / 2;
    std::uint64_t given = 0;
    for (TextRange range{0, 0}; range.begin < length; range.begin = range.end) {
      range.end = std::min(length, range.begin + width);
      const std::uint64_t found =
          reported < counts.total()
              ? gather_range(work, i, reported, range, d_some, d_kept)
              : scan_hits(work.slice.index(), work.slice.patterns(), i, counts.forward > 0,
                          counts.reverse > 0, range, d_kept, stream);
      if (given + found > reported) throw_index_fault();
      for (std::uint64_t done = 0; done < found; done += hits.size()) {
        const std::uint64_t some = std::min<std::uint64_t>(hits.size(), found - done);
        work.lane.to_host(hits.data(), d_kept.data() + done, some * sizeof(Hit));
        work.progress.pass_on({work.first + i,
                               given + done,
                               work.max_hits,
                               {&counts, 1},
                               {&some, 1},
                               std::span<const Hit>(hits).first(some)});
      }
      given += found;
    }
    if (given != reported) throw_index_fault();
  }

  /// Sorted in d_kept: those of a pattern's first `reported` hits that start in a range.
  std::uint64_t gather_range(const LocateWork& work, std::size_t i, std::uint64_t reported,
                             TextRange range, DeviceBuffer<std::uint64_t>& d_some,
                             DeviceBuffer<std::uint64_t>& d_kept) const {
    const DeviceStream stream = work.lane.stream();
    std::uint64_t kept = 0;
    for (std::uint64_t done = 0; done < reported; done += d_some.size()) {
      const std::uint64_t some = std::min<std::uint64_t>(d_some.size(), reported - done);
      gather_some_async(work.slice.index(), work.slice.jobs(), work.slice.found(), i, done, some,
                        d_some.data(), work.slice.fault_flag(), stream);
      work.slice.check_fault();
      kept = keep_hits(d_some.data(), some, range, d_kept.data(), kept, stream);
    }
    sort_hits_async(d_kept, kept, stream);
    return kept;
  }

  std::shared_ptr<const PlacedIndex<Pos>> placed_;
  bool complements_;
  SearcherOptions options_;
  mutable std::optional<SearchLanes> lanes_;
};

template <class Pos>
std::unique_ptr<Searcher> make_searcher_of(const Index& index, std::shared_ptr<MemoryPool> pool,
                                           Transfer& transfer, const SearcherOptions& options) {
  auto placed =
      options.placement == nullptr
          ? std::make_shared<const PlacedIndex<Pos>>(index, std::move(pool), transfer,
                                                     options.whole_suffix_array, options.extras)
          : options.placement->place<Pos>(index, std::move(pool), transfer);
  return std::make_unique<CudaSearcher<Pos>>(index, std::move(placed), options);
}

}  // namespace

std::unique_ptr<Searcher> make_searcher(const Index& index, std::shared_ptr<MemoryPool> pool,
                                        Transfer& transfer, const SearcherOptions& options) {
  return is_wide(index.meta().length, options.width)
             ? make_searcher_of<std::uint64_t>(index, std::move(pool), transfer, options)
             : make_searcher_of<std::uint32_t>(index, std::move(pool), transfer, options);
}

}  // namespace gsx::cuda
