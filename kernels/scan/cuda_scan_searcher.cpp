#include "kernels/scan/cuda_scan_searcher.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "kernels/runtime/current_device.hpp"
#include "kernels/runtime/device.hpp"
#include "kernels/runtime/event.hpp"
#include "kernels/runtime/stream.hpp"
#include "kernels/scan/bit_scan.hpp"
#include "kernels/text/device_text.hpp"
#include "scan/place_finder.hpp"

namespace gsx::cuda {
namespace {

/// Waits for a stream asleep, so that others may use the core.
void wait_for(cudaStream_t stream) {
  const Event done(cudaEventBlockingSync | cudaEventDisableTiming);
  done.record(stream);
  done.wait();
}

/// How many of the patterns from `first` on are scanned for together: enough to hide what a launch
/// costs, few enough for little memory.
std::size_t end_of_group(const SetPatterns& patterns, std::size_t first,
                         const MismatchRequest& request, std::size_t most) {
  constexpr std::size_t most_patterns = 8192, most_counts = std::size_t{1} << 18;
  static_assert(most_patterns <= HitRecord::most_patterns);
  constexpr std::uint64_t most_symbols = std::uint64_t{1} << 19;
  most = std::min({most, most_patterns, most_counts / (request.mismatches + 1)});
  std::size_t end = first + 1;
  while (end < patterns.size() && end - first < most &&
         patterns.ends[end] - patterns.begin_of(first) <= most_symbols)
    ++end;
  return end;
}

/// The scan of one call.
class Finder final : public PlaceFinder {
 public:
  Finder(const TextView& d_text, MemoryPool& pool, const ScanOptions& options)
      : text_(d_text), pool_(pool), options_(options) {}

  std::size_t group_end(const SetPatterns& patterns, std::size_t first,
                        const MismatchRequest& request, std::size_t most) override {
    return end_of_group(patterns, first, request, most);
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request, MismatchCounts& counts) {
    const DeviceStrands strands(SlicedStrands(patterns, request), stream());
    DeviceCounts d_counts(patterns.size(), request, stream());
    scan_async(text_, {0, text_.length()}, strands, request.mismatches, {d_counts.data()},
               stream());
    d_counts.fetch(counts);
  }

  std::size_t collect(const SetPatterns& patterns, const MismatchRequest& request,
                      const Wanted& wanted, MismatchCounts& counts, GroupedHits& found) override {
    found = {};
    const DeviceStrands strands(SlicedStrands(patterns, request), stream());
    DeviceCounts d_counts(patterns.size(), request, stream());
    DeviceBuffer<std::uint32_t> d_fewer_than(wanted.fewer_than.size(), stream());
    if (!wanted.fewer_than.empty()) d_fewer_than.copy_from_async(wanted.fewer_than.data());
    const std::uint64_t room = std::max<std::uint64_t>(1, wanted.room);
    DeviceBuffer<std::uint64_t> records(room, stream());
    const std::uint64_t count =
        scan({0, text_.length()}, strands, request.mismatches,
             {.counts = d_counts.data(),
              .fewer_than = wanted.fewer_than.empty() ? nullptr : d_fewer_than.data()},
             records);
    d_counts.fetch(counts);
    if (count > wanted.room) return 0;

    const std::vector<std::uint64_t> sorted = fetch_sorted(records, count);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < patterns.size(); ++i) {
      const std::size_t begin = found.hits.size();
      for (; at < sorted.size() && HitRecord(sorted[at]).pattern() == i; ++at)
        found.hits.push_back(HitRecord(sorted[at]).hit());
      keep_fewest_mismatches(found.hits, wanted.max_hits, begin);
      found.ends.push_back(found.hits.size());
    }
    return patterns.size();
  }

  /// Scans one range of the text after another, each so small that its hits can be held.
  void find_in_order(const SetPatterns& pattern, const MismatchRequest& request,
                     const Take& take) override {
    const std::uint64_t room = std::max<std::uint64_t>(options_.host_hits / 3, 4096);
    const std::uint64_t least = room / 2 / PlaceWindow::places * PlaceWindow::places;
    const DeviceStrands strands(SlicedStrands(pattern, request), stream());
    const DeviceCounts d_counts(1, request, stream());
    DeviceBuffer<std::uint64_t> records(room, stream());
    std::vector<Hit> hits;
    std::uint64_t width = std::max(least, options_.range_places);
    for (std::uint64_t begin = 0; begin < text_.length();) {
      const std::uint64_t end = std::min(text_.length(), begin + width);
      const std::uint64_t count =
          scan({begin, end}, strands, request.mismatches, {.counts = d_counts.data()}, records);
      if (count > room) {
        width = std::max(least, width / 4 / PlaceWindow::places * PlaceWindow::places);
        continue;
      }
      hits.clear();
      for (const std::uint64_t record : fetch_sorted(records, count))
        hits.push_back(HitRecord(record).hit());
      take(hits);
      if (count < room / 8) width *= 2;
      begin = end;
    }
  }

 private:
  /// Numbers of places, on the device.
  class DeviceCounts {
   public:
    DeviceCounts(std::size_t patterns, const MismatchRequest& request, DeviceStream stream)
        : counts_(patterns * 2 * (request.mismatches + 1), stream), stream_(stream) {
      GSX_CUDA_CHECK(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream));
    }
    std::uint64_t* data() const { return const_cast<std::uint64_t*>(counts_.data()); }
    /// Waits for the stream. Pre: `counts` is for the same patterns.
    void fetch(MismatchCounts& counts) const {
      std::vector<std::uint64_t> all(counts_.size());
      counts_.copy_to_async(all.data());
      wait_for(stream_);
      for (std::size_t i = 0, at = 0; i < counts.patterns(); ++i)
        for (const bool reverse : {false, true})
          for (std::uint64_t& number : counts.of(i, reverse))
            number = all[at++];
    }

   private:
    DeviceBuffer<std::uint64_t> counts_;
    DeviceStream stream_;
  };

  /// Scans a range, and returns the number of hits; those that there is room for are in `records`.
  std::uint64_t scan(const PlaceRange& range, const DeviceStrands& strands, std::uint32_t most,
                     ScanResult result, DeviceBuffer<std::uint64_t>& records) {
    DeviceBuffer<std::uint64_t> d_count(1, stream());
    GSX_CUDA_CHECK(cudaMemsetAsync(d_count.data(), 0, d_count.bytes(), stream()));
    result.hits = records.data();
    result.room = records.size();
    result.hit_count = d_count.data();
    scan_async(text_, range, strands, most, result, stream());
    std::uint64_t count = 0;
    d_count.copy_to_async(&count);
    wait_for(stream());
    return count;
  }

  std::vector<std::uint64_t> fetch_sorted(DeviceBuffer<std::uint64_t>& records,
                                          std::uint64_t count) {
    std::vector<std::uint64_t> sorted(count);
    if (count == 0) return sorted;
    sort_records_async(records, count, stream());
    GSX_CUDA_CHECK(cudaMemcpyAsync(sorted.data(), records.data(), count * sizeof(std::uint64_t),
                                   cudaMemcpyDeviceToHost, stream()));
    wait_for(stream());
    return sorted;
  }

  DeviceStream stream() const { return {stream_.get(), &pool_}; }

  TextView text_;
  MemoryPool& pool_;
  const ScanOptions& options_;
  Stream stream_;
};

class CudaScanSearcher final : public MismatchWay {
 public:
  CudaScanSearcher(const TextView& text, std::shared_ptr<MemoryPool> pool, Transfer& transfer,
                   const ScanOptions& options)
      : pool_(std::move(pool)), options_(options) {
    placed_.emplace(text, *pool_, transfer);
  }
  ~CudaScanSearcher() override {
    const CurrentDevice current(pool_->device(), std::nothrow);
    placed_.reset();
  }

  std::string_view name() const override { return "scan on the GPU"; }

  double cost(const SetPatterns& patterns, const MismatchRequest& request) const override {
    // Estimated from the operations per position: of a place and strand, and of making a window.
    constexpr double launch = 1e-3, position = 1.2e-14, window = 5e-14;
    const double strands = request.strands == Strands::both ? 2 : 1;
    double compared = 0;
    for (std::size_t i = 0; i < patterns.size(); ++i)
      compared +=
          std::min<double>(static_cast<double>(patterns[i].size()), request.mismatches * 2 + 12);
    const auto length = static_cast<double>(placed_->text.view().length());
    return options_.threads * (launch + length * (window + strands * compared * position));
  }

  void count(const SetPatterns& patterns, const MismatchRequest& request,
             MismatchCounts& counts) const override {
    const CurrentDevice current(pool_->device());
    counts.reset(patterns.size(), request.mismatches);
    Finder finder(placed_->text.view(), *pool_, options_);
    MismatchCounts some;
    for (std::size_t first = 0; first < patterns.size();) {
      const std::size_t end = end_of_group(patterns, first, request, patterns.size());
      some.reset(end - first, request.mismatches);
      finder.count(patterns.some(first, end), request, some);
      for (std::size_t i = first; i < end; ++i)
        for (const bool reverse : {false, true})
          std::ranges::copy(some.of(i - first, reverse), counts.of(i, reverse).begin());
      first = end;
    }
  }

  void stream_hits(const SetPatterns& patterns, const MismatchRequest& request,
                   const HitSink& sink) const override {
    const CurrentDevice current(pool_->device());
    const HitSink callers = [&](const HitChunk& chunk) {
      const CallersDevice outside;
      sink(chunk);
    };
    Finder finder(placed_->text.view(), *pool_, options_);
    stream_found(finder, patterns, request, {.hits_at_once = options_.host_hits}, callers);
  }

 private:
  /// What lies on the device.
  struct Placed {
    Placed(const TextView& host, MemoryPool& pool, Transfer& transfer)
        : text(host, transfer, {stream.get(), &pool}) {}
    Stream stream;
    DeviceText text;
  };

  std::shared_ptr<MemoryPool> pool_;
  ScanOptions options_;
  std::optional<Placed> placed_;
};

}  // namespace

std::unique_ptr<MismatchWay> make_scan_searcher(const TextView& text,
                                                std::shared_ptr<MemoryPool> pool,
                                                Transfer& transfer, const ScanOptions& options) {
  const std::uint64_t bytes = DeviceText::bytes(text);
  require_device_bytes(*pool, bytes, "the text");
  log().debug("GPU memory for the text: {} bytes", bytes);
  return std::make_unique<CudaScanSearcher>(text, std::move(pool), transfer, options);
}

}  // namespace gsx::cuda
