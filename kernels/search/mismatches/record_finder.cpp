#include "kernels/search/mismatches/record_finder.hpp"

#include <algorithm>

#include "search/mismatches/place_window.hpp"

namespace gsx::cuda {

/// Numbers of places, on the device.
class RecordFinder::DeviceCounts {
 public:
  DeviceCounts(std::size_t patterns, const MismatchRequest& request, DeviceStream stream)
      : counts_(patterns * 2 * (request.mismatches + 1), stream) {
    if (counts_.size() == 0) return;
    GSX_CUDA_CHECK(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream));
  }
  std::uint64_t* data() { return counts_.data(); }
  /// Pre: `counts` is for the same patterns.
  void fetch(const RecordFinder& finder, MismatchCounts& counts) const {
    if (counts_.size() == 0) return;
    finder.wait();
    counts_.copy_to_async(counts.all().data());
    finder.wait();
  }

 private:
  DeviceBuffer<std::uint64_t> counts_;
};

void RecordFinder::count(const SetPatterns& patterns, const MismatchRequest& request,
                         MismatchCounts& counts) {
  prepare(patterns, request);
  DeviceCounts d_counts(patterns.size(), request, stream());
  find_async({0, length_}, {d_counts.data()});
  d_counts.fetch(*this, counts);
}

std::size_t RecordFinder::collect(const SetPatterns& patterns, const MismatchRequest& request,
                                  const Wanted& wanted, MismatchCounts& counts,
                                  GroupedHits& found) {
  found = {};
  prepare(patterns, request);
  DeviceCounts d_counts(patterns.size(), request, stream());
  DeviceBuffer<std::uint32_t> d_fewer_than(wanted.fewer_than.size(), stream());
  if (!wanted.fewer_than.empty()) d_fewer_than.copy_from_async(wanted.fewer_than.data());
  DeviceBuffer<std::uint64_t> records(std::max<std::uint64_t>(1, wanted.room), stream());
  const std::uint64_t count =
      find({0, length_},
           {.counts = d_counts.data(),
            .fewer_than = wanted.fewer_than.empty() ? nullptr : d_fewer_than.data()},
           records);
  d_counts.fetch(*this, counts);
  if (count > wanted.room) return 0;

  const std::vector<std::uint64_t> sorted = fetch_sorted(records, count, patterns.size());
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

void RecordFinder::find_in_order(const SetPatterns& pattern, const MismatchRequest& request,
                                 const Take& take) {
  const std::uint64_t room = std::max<std::uint64_t>(options_.host_hits / 3, 4096);
  const std::uint64_t least = room / 2 / PlaceWindow::places * PlaceWindow::places;
  prepare(pattern, request);
  DeviceCounts d_counts(1, request, stream());
  DeviceBuffer<std::uint64_t> records(room, stream());
  std::vector<Hit> hits;
  std::uint64_t width = std::max(least, options_.range_places);
  for (std::uint64_t begin = 0; begin < length_;) {
    const std::uint64_t end = std::min(length_, begin + width);
    const std::uint64_t count = find({begin, end}, {.counts = d_counts.data()}, records);
    if (count > room) {
      width = std::max(least, width / 4 / PlaceWindow::places * PlaceWindow::places);
      continue;
    }
    hits.clear();
    for (const std::uint64_t record : fetch_sorted(records, count, 1))
      hits.push_back(HitRecord(record).hit());
    take(hits);
    if (count < room / 8) width *= 2;
    begin = end;
  }
}

/// Finds what begins in a range, and returns the number of hits; those that there is room for are
/// in `records`.
std::uint64_t RecordFinder::find(const PlaceRange& range, ScanResult result,
                                 DeviceBuffer<std::uint64_t>& records) {
  DeviceBuffer<std::uint64_t> d_count(1, stream());
  GSX_CUDA_CHECK(cudaMemsetAsync(d_count.data(), 0, d_count.bytes(), stream()));
  result.hits = records.data();
  result.room = records.size();
  result.hit_count = d_count.data();
  find_async(range, result);
  wait();
  std::uint64_t count = 0;
  d_count.copy_to_async(&count);
  wait();
  return count;
}

std::vector<std::uint64_t> RecordFinder::fetch_sorted(DeviceBuffer<std::uint64_t>& records,
                                                      std::uint64_t count, std::uint64_t patterns) {
  std::vector<std::uint64_t> sorted(count);
  if (count == 0) return sorted;
  sort_records_async(records, count, patterns, stream());
  wait();
  GSX_CUDA_CHECK(cudaMemcpyAsync(sorted.data(), records.data(), count * sizeof(std::uint64_t),
                                 cudaMemcpyDeviceToHost, stream()));
  wait();
  return sorted;
}

}  // namespace gsx::cuda
