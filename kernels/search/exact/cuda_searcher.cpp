#include "kernels/search/exact/cuda_searcher.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/base/current_device.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/slice.hpp"
#include "kernels/search/exact/slice_hits.hpp"
#include "search/exact/hit_chunks.hpp"

namespace gsx::cuda {
namespace {

/// How much is worked on at a time.
struct SliceSize {
  std::uint64_t patterns;
  std::uint64_t hits;  ///< on the device

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

std::size_t end_of_slice(const Patterns& patterns, std::size_t first, std::uint64_t most) {
  const std::uint64_t begin = patterns.begin_of(first);
  std::size_t last = first + 1;
  while (last < patterns.size() && last - first < most &&
         patterns.ends[last] - begin <= tuning::codes_at_once) {
    ++last;
  }
  return last;
}

/// Calls work(). If memory is short for it, calls recover(), and throws unless that returns true.
template <class Work, class Recover>
void try_in_memory(const Work& work, const Recover& recover) {
  try {
    work();
  } catch (const ResourceError&) {
    if (!recover()) throw;
  } catch (const std::bad_alloc&) {
    if (!recover()) throw;
  }
}

/// The sink, run with the caller's GPU as the current one.
HitSink on_callers_device(const HitSink& sink) {
  return [&sink](const HitChunk& chunk) {
    const CallersDevice outside;
    sink(chunk);
  };
}

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
    const CurrentDevice current(device(), std::nothrow);
    lanes_.reset();
  }

  void count(const Patterns& patterns, Strands strands,
             std::vector<StrandCounts>& counts) const override {
    const CurrentDevice current(device());
    const SearchLanes::Guard lane = lanes_->take();
    counts.assign(patterns.size(), {});
    std::size_t first = 0;
    for_each_slice(
        *lane, patterns, [&] { return first; }, [] { return false; },
        [&](const Patterns& some, const SliceSize&) {
          SearchSlice<Pos> slice(*lane, placed_->view(some.symbols()), some, request_for(strands));
          slice.count();
          slice.wait();
          std::ranges::copy(slice.counts(), counts.data() + first);
          first += some.size();
        });
  }

  void stream(const Patterns& patterns, const LocateRequest& request,
              const HitSink& sink) const override {
    const CurrentDevice current(device());
    const SearchLanes::Guard lane = lanes_->take();
    const HitSink callers = on_callers_device(sink);
    HitProgress progress(callers);
    stream_rest(*lane, patterns, request, progress);
  }

  std::unique_ptr<Searcher> start(const Patterns& patterns,
                                  const SearchRequest& request) const override {
    const bool is_slice =
        patterns.size() != 0 && end_of_slice(patterns, 0, usual_size().patterns) == patterns.size();
    if (!is_slice || memory_was_short_) return nullptr;
    const CurrentDevice current(device());
    std::unique_ptr<Started> started;
    bool goes_on = false;
    const auto note = [&] {  // there may be memory for fewer patterns, or for a lane per thread
      memory_was_short_ = true;
      return true;
    };
    try_in_memory(
        [&] {
          started = std::make_unique<Started>(*this);
          goes_on = started->begin(patterns, request);
          if (goes_on && !started->leaves_room()) note();
        },
        note);
    if (!memory_was_short_) return goes_on ? std::move(started) : nullptr;
    started.reset();
    lanes_->release_idle();
    return nullptr;
  }

  std::size_t best_batch() const override { return std::size_t{1} << 15; }
  bool takes_packed() const override { return complements_; }  // it is DNA

 private:
  /// A slice that is searched while its thread does something else.
  class Started final : public Searcher {
   public:
    /// Pre: the GPU is current.
    explicit Started(const CudaSearcher& all) : all_(all), work_(std::in_place, all) {}
    ~Started() override {
      const CurrentDevice current(all_.device(), std::nothrow);
      work_.reset();
    }

    /// Begins the search; false if the thread would have to wait for it. Pre: the GPU is current.
    bool begin(const Patterns& patterns, const SearchRequest& request) {
      SearchLane& lane = *work_->lane;
      const SliceRequest asked =
          request.streams
              ? all_.request_for(request.what.strands, lane, patterns.size(), all_.usual_size())
              : all_.request_for(request.what.strands);
      if (!is_asynchronous(patterns, asked)) return false;
      SearchSlice<Pos>& slice =
          work_->slice.emplace(lane, all_.placed_->view(patterns.symbols()), patterns, asked);
      if (request.streams) {
        slice.locate(request.what.max_hits);
      } else {
        slice.count();
      }
      return true;
    }
    /// Whether another lane might grow as this one has.
    bool leaves_room() const {
      const std::uint64_t taken = work_->lane->device_bytes();
      return taken == work_->taken_before || all_.placed_->pool().available() >= taken;
    }

    void count(const Patterns&, Strands, std::vector<StrandCounts>& counts) const override {
      const SearchSlice<Pos>& slice = *work_->slice;
      const CurrentDevice current(all_.device());
      slice.wait();
      counts.assign(slice.counts().begin(), slice.counts().end());
    }
    void stream(const Patterns& patterns, const LocateRequest& request,
                const HitSink& sink) const override {
      SearchLane& lane = *work_->lane;
      const CurrentDevice current(all_.device());
      const HitSink callers = on_callers_device(sink);
      HitProgress progress(callers);
      try_in_memory(
          [&] {
            work_->slice->wait();
            all_.give(lane, *work_->slice, 0, request, all_.usual_size(), progress);
          },
          [&] {
            all_.memory_was_short_ = true;
            return !progress.in_sink();
          });
      all_.stream_rest(lane, patterns, request, progress);  // what memory was short for
    }
    bool takes_packed() const override { return all_.takes_packed(); }

   private:
    struct Work {
      explicit Work(const CudaSearcher& all)
          : lane(all.lanes_->take()), taken_before(lane->device_bytes()) {}
      SearchLanes::Guard lane;
      std::uint64_t taken_before;  ///< bytes on the device that the lane had kept
      std::optional<SearchSlice<Pos>> slice;
    };

    /// Whether all that crosses the bus has room in pinned memory: otherwise, copies wait.
    static bool is_asynchronous(const Patterns& patterns, const SliceRequest& asked) {
      constexpr std::uint64_t per_pattern = sizeof(StrandCounts) + 3 * sizeof(std::uint64_t);
      return patterns.symbols() + patterns.size() * per_pattern + asked.hit_room * sizeof(Hit) <=
             tuning::transfer_bytes;
    }

    const CudaSearcher& all_;
    std::optional<Work> work_;
  };

  int device() const { return placed_->pool().device(); }

  SliceSize usual_size() const {
    return {tuning::patterns_at_once, std::max<std::uint64_t>(2, options_.device_hits)};
  }
  std::uint64_t host_hits() const { return std::max<std::uint64_t>(1, options_.host_hits); }

  SliceRequest request_for(Strands strands) const {
    return {.strands = strands, .complements = complements_, .verify = options_.verify};
  }
  /// The same for a slice that is located.
  SliceRequest request_for(Strands strands, const SearchLane& lane, std::size_t patterns,
                           const SliceSize& size) const {
    SliceRequest asked = request_for(strands);
    asked.locates = true;
    asked.hit_room = std::min({size.hits, host_hits(), lane.expected_hits(patterns)});
    return asked;
  }

  /// Calls work(some, size) for the patterns from done() on, in slices that fit the memory, in
  /// order: each is halved as long as there is too little for it, unless is_final() holds.
  template <class Done, class IsFinal, class Work>
  void for_each_slice(SearchLane& lane, const Patterns& patterns, const Done& done,
                      const IsFinal& is_final, const Work& work) const {
    SliceSize size = usual_size();
    while (done() < patterns.size()) {
      const std::size_t first = done(), last = end_of_slice(patterns, first, size.patterns);
      try_in_memory([&] { work(patterns.some(first, last), size); },
                    [&] { return !is_final() && make_room(lane, size, last - first); });
    }
  }
  /// After a slice of so many patterns found too little memory: gives back what lanes keep, and
  /// makes the next slice smaller; false when that is not possible. Nothing is started from then
  /// on.
  bool make_room(SearchLane& lane, SliceSize& size, std::uint64_t tried) const {
    memory_was_short_ = true;
    lane.release();
    lanes_->release_idle();
    return size.halve(tried);
  }

  /// Gives the hits that are not given yet.
  void stream_rest(SearchLane& lane, const Patterns& patterns, const LocateRequest& request,
                   HitProgress& progress) const {
    for_each_slice(
        lane, patterns, [&] { return progress.pattern(); }, [&] { return progress.in_sink(); },
        [&](const Patterns& some, const SliceSize& size) {
          SearchSlice<Pos> slice(lane, placed_->view(some.symbols()), some,
                                 request_for(request.strands, lane, some.size(), size));
          slice.locate(request.max_hits);
          slice.wait();
          give(lane, slice, progress.pattern(), request, size, progress);
        });
  }
  void give(SearchLane& lane, const SearchSlice<Pos>& slice, std::size_t first,
            const LocateRequest& request, const SliceSize& size, HitProgress& progress) const {
    give_hits<Pos>({lane, slice, first, request.max_hits, size.hits, host_hits(), progress});
  }

  std::shared_ptr<const PlacedIndex<Pos>> placed_;
  bool complements_;
  SearcherOptions options_;
  mutable std::optional<SearchLanes> lanes_;
  mutable std::atomic<bool> memory_was_short_ = false;  ///< nothing is started any more
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
