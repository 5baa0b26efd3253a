// Finds places with mismatches that a kernel lists as records.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/base/device_buffer.hpp"
#include "kernels/base/event.hpp"
#include "kernels/base/stream.hpp"
#include "kernels/search/mismatches/hit_record.hpp"
#include "search/mismatches/place_finder.hpp"
#include "search/mismatches/place_range.hpp"

namespace gsx::cuda {

/// Where a kernel puts what it finds, all on the device.
struct ScanResult {
  std::uint64_t* counts;                      ///< [pattern][strand][mismatches], added to
  std::uint64_t* hits = nullptr;              ///< room for hits as HitRecord, in no order; or null
  std::uint64_t room = 0;                     ///< of hits
  std::uint64_t* hit_count = nullptr;         ///< of all hits, also those that there is no room for
  const std::uint32_t* fewer_than = nullptr;  ///< mismatches of each pattern's hits; null: all
};

/// One call of a searcher, with a stream of its own. Collects hits as records, sorts them on the
/// device, and fetches them. What derives from it says how patterns are found.
class RecordFinder : public PlaceFinder {
 public:
  struct Options {
    std::uint64_t host_hits;     ///< in the host's memory
    std::uint64_t range_places;  ///< of a pattern with too many hits to sort
  };

  /// Replaces the counts. Pre: the patterns are few enough for prepare().
  void count(const SetPatterns& patterns, const MismatchRequest& request, MismatchCounts& counts);
  std::size_t collect(const SetPatterns& patterns, const MismatchRequest& request,
                      const Wanted& wanted, MismatchCounts& counts, GroupedHits& found) override;
  /// Finds the places of one range of the text after another, each so small that its hits can be
  /// held.
  void find_in_order(const SetPatterns& pattern, const MismatchRequest& request,
                     const Take& take) override;

 protected:
  RecordFinder(std::uint64_t length, MemoryPool& pool, const Options& options)
      : length_(length), pool_(pool), options_(options) {}

  /// The patterns that are found next.
  virtual void prepare(const SetPatterns& patterns, const MismatchRequest& request) = 0;
  /// Adds what begins in a range to a result. Asynchronous. The range begins at a multiple of
  /// PlaceWindow::places.
  virtual void find_async(const PlaceRange& range, const ScanResult& result) = 0;

  DeviceStream stream() const { return {stream_.get(), &pool_}; }
  /// Waits for the stream. Call it before a copy to memory that is not pinned, too: such a copy
  /// waits on a core.
  void wait() const { wait_asleep(stream_.get()); }

 private:
  class DeviceCounts;

  std::uint64_t find(const PlaceRange& range, ScanResult result,
                     DeviceBuffer<std::uint64_t>& records);
  std::vector<std::uint64_t> fetch_sorted(DeviceBuffer<std::uint64_t>& records, std::uint64_t count,
                                          std::uint64_t patterns);

  std::uint64_t length_;
  MemoryPool& pool_;
  Options options_;
  Stream stream_;
};

}  // namespace gsx::cuda
