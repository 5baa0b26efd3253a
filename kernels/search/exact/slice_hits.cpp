#include "kernels/search/exact/slice_hits.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "kernels/search/exact/hits.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx::cuda {
namespace {

static_assert(sizeof(Hit) == sizeof(std::uint64_t), "hits cross the bus as they are");

/// Hits of consecutive patterns, from the i-th on, all at once on the device.
template <class Pos>
void give_group(const LocatedSlice<Pos>& work, std::span<const StrandCounts> counts, std::size_t i,
                std::span<const std::uint64_t> ends, std::uint64_t begin) {
  DeviceBuffer<std::uint64_t> d_hits(ends.back() - begin, work.lane.stream());
  gather_hits(work.slice.index(), work.slice.jobs(), work.slice.found(),
              work.slice.ends_on_device(), i, i + ends.size(), d_hits, work.slice.fault_flag(),
              work.lane.stream());
  work.slice.check_fault();
  std::vector<std::uint64_t> own_ends(ends.begin(), ends.end());
  for (std::uint64_t& end : own_ends)
    end -= begin;
  std::vector<Hit> hits(std::min(d_hits.size(), work.host_hits));
  const auto fetch = [&](std::uint64_t from, std::uint64_t count) -> std::span<const Hit> {
    work.lane.to_host(hits.data(), d_hits.data() + from, count * sizeof(Hit));
    return {hits.data(), count};
  };
  give_in_pieces({work.first + i, 0, work.max_hits, counts, own_ends, {}}, work.host_hits, fetch,
                 [&](const HitChunk& chunk) { work.progress.pass_on(chunk); });
}

/// Sorted in d_kept: those of a pattern's first `reported` hits that start in a range.
template <class Pos>
std::uint64_t gather_range(const LocatedSlice<Pos>& work, std::size_t i, std::uint64_t reported,
                           TextRange range, DeviceBuffer<std::uint64_t>& d_some,
                           DeviceBuffer<std::uint64_t>& d_kept) {
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

/// A pattern with more hits than are held on the device: those in one range of the text after
/// another. All hits are found by reading the text; of some, first in suffix order, all are
/// gathered for every range.
template <class Pos>
void give_huge(const LocatedSlice<Pos>& work, std::size_t i, const StrandCounts& counts,
               std::uint64_t reported) {
  const DeviceStream stream = work.lane.stream();
  DeviceBuffer<std::uint64_t> d_kept(work.device_hits, stream), d_some;
  if (reported < counts.total()) d_some = DeviceBuffer<std::uint64_t>(work.device_hits, stream);
  std::vector<Hit> hits(std::min(work.device_hits, work.host_hits));
  const std::uint64_t length = work.slice.index().text.length(), width = work.device_hits / 2;
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

}  // namespace

template <class Pos>
void give_hits(const LocatedSlice<Pos>& work) {
  const SearchSlice<Pos>& slice = work.slice;
  work.lane.note_hits(slice.jobs().patterns, slice.ends().back());
  if (slice.has_hits()) {
    work.progress.pass_on(
        {work.first, 0, work.max_hits, slice.counts(), slice.ends(), slice.hits()});
    return;
  }
  // What follows uses the memory of these.
  const std::vector<StrandCounts> counts(slice.counts().begin(), slice.counts().end());
  const std::vector<std::uint64_t> ends(slice.ends().begin(), slice.ends().end());
  for (std::size_t i = 0; i < ends.size();) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    std::size_t stop = i + 1;
    while (stop < ends.size() && ends[stop] - begin <= work.device_hits)
      ++stop;
    if (ends[stop - 1] - begin > work.device_hits) {
      give_huge(work, i, counts[i], ends[i] - begin);
    } else {
      give_group(work, {counts.data() + i, stop - i}, i, {ends.data() + i, stop - i}, begin);
    }
    i = stop;
  }
}

template void give_hits(const LocatedSlice<std::uint32_t>&);
template void give_hits(const LocatedSlice<std::uint64_t>&);

}  // namespace gsx::cuda
