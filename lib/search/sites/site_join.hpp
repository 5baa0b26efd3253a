// Compares guides with the sites of a table, 32 lanes at a time: what a warp of a GPU does.
#pragma once

#include <cstdint>

#include "base/host_device.hpp"
#include "search/exact/hits.hpp"
#include "search/sites/site_key.hpp"

namespace gsx {

/// Sites in the order of their buckets and, within a bucket, forward before reverse: those of
/// bucket b on strand s are [offsets[2b + s], offsets[2b + s + 1]). `rest` holds the other bases of
/// each, `places` its start in the part of the text.
struct SiteHalfView {
  const std::uint32_t* offsets = nullptr;
  const std::uint32_t* rest = nullptr;
  const std::uint32_t* places = nullptr;
};

/// Guides in the order of their buckets. Slot i is guide order[i], in bucket buckets[i].
struct SortedGuidesView {
  const std::uint32_t* buckets = nullptr;
  const std::uint32_t* order = nullptr;
  const std::uint64_t* keys = nullptr;  ///< of guides
  std::uint32_t count = 0;
};

/// Which sites of a half are looked for, as SiteLookup does: those in buckets of neighbours of each
/// guide's bucket that have few mismatches in all.
struct HalfSearch {
  SiteHalfView half;
  SiteSplit split;
  SortedGuidesView guides;
  const std::uint32_t* neighbours = nullptr;  ///< as in Neighbours
  std::uint32_t neighbour_count = 0;
  std::uint32_t most = 0;        ///< mismatches
  std::uint32_t first_more = 0;  ///< split.last: with so many in the first bases, or fewer, the
                                 ///< other half has the site
  Strands strands = Strands::both;

  /// Neighbours that lanes take together.
  static constexpr std::uint32_t lanes = 32;
  GSX_HD std::uint32_t chunks() const { return (neighbour_count + lanes - 1) / lanes; }
  /// Numbers that are counted per guide: forward and reverse by turns, by mismatches.
  GSX_HD std::uint32_t classes() const { return 2 * (most + 1); }
};

/// The sites of one bucket.
struct alignas(16) BucketRange {
  std::uint32_t begin;
  std::uint32_t middle;  ///< where the reverse strand begins
  std::uint32_t end;
  std::uint32_t changed;  ///< mismatches in the bases of the bucket
};

/// What the lanes of a warp share: the buckets of a chunk of neighbours, and a counter of each lane
/// for each class of each guide: counters[(guide * classes + class) * lanes + lane].
struct JoinMemory {
  BucketRange* ranges;
  std::uint32_t* counters;
};

/// Guides in a row that are in one bucket: slots [begin, end).
struct GuideRun {
  std::uint32_t begin;
  std::uint32_t end;

  GSX_HD std::uint32_t size() const { return end - begin; }
};

/// The run that begins in a slot and ends before `end`.
GSX_HD GuideRun guide_run(const SortedGuidesView& guides, std::uint32_t begin, std::uint32_t end) {
  GuideRun run{begin, begin + 1};
  while (run.end < end && guides.buckets[run.end] == guides.buckets[begin])
    ++run.end;
  return run;
}

/// First, each lane looks up the bucket of one neighbour and clears its counters.
GSX_HD void begin_join(const HalfSearch& search, const GuideRun& run, std::uint32_t chunk,
                       std::uint32_t lane, const JoinMemory& memory) {
  const std::uint32_t n = chunk * HalfSearch::lanes + lane;
  BucketRange range{0, 0, 0, 0};
  if (n < search.neighbour_count) {
    const std::uint32_t neighbour = search.neighbours[n];
    const std::uint64_t bucket = search.guides.buckets[run.begin] ^ (neighbour & 0x0FFFFFFF);
    const std::uint32_t* const offsets = search.half.offsets + 2 * bucket;
    range = {offsets[0], offsets[1], offsets[2], neighbour >> 28};
    if (search.strands == Strands::forward) range.end = range.middle;
    if (search.strands == Strands::reverse) range.begin = range.middle;
  }
  memory.ranges[lane] = range;
  for (std::uint32_t i = 0; i < run.size() * search.classes(); ++i)
    memory.counters[i * HalfSearch::lanes + lane] = 0;
}

namespace join_detail {

/// The comparison of a run of up to `width` guides.
template <std::uint32_t width, class Take>
GSX_HD void compare_sites(const HalfSearch& search, const GuideRun& run, std::uint32_t lane,
                          const JoinMemory& memory, const Take& take) {
  std::uint32_t wanted[width];
  for (std::uint32_t g = 0; g < width; ++g) {
    const std::uint32_t slot = g < run.size() ? run.begin + g : run.begin;
    wanted[g] = search.split.rest(search.guides.keys[search.guides.order[slot]]);
  }
  const std::uint32_t first_bits = search.split.last ? search.split.bits_of_first() : 0;
  const std::uint32_t* const rest = search.half.rest;
  for (std::uint32_t n = 0; n < HalfSearch::lanes; ++n) {
    const BucketRange range = memory.ranges[n];
    const std::uint32_t most = search.most - range.changed;
    std::uint32_t i = range.begin + lane;
    std::uint32_t next = i < range.end ? rest[i] : 0;
    for (; i < range.end; i += HalfSearch::lanes) {
      const std::uint32_t site = next;
      if (i + HalfSearch::lanes < range.end) next = rest[i + HalfSearch::lanes];
      std::uint32_t mismatches[width];
      std::uint32_t fewest = 32;
      for (std::uint32_t g = 0; g < width; ++g) {
        mismatches[g] = popcount32(differing_bases(site, wanted[g]));
        fewest = mismatches[g] < fewest ? mismatches[g] : fewest;
      }
      if (fewest > most) continue;
      for (std::uint32_t g = 0; g < width; ++g) {
        if (mismatches[g] > most || g >= run.size()) continue;
        if (first_bits != 0 &&
            popcount32(differing_bases(site, wanted[g]) & first_bits) <= search.first_more)
          continue;
        const std::uint32_t all = range.changed + mismatches[g];
        const bool reverse = i >= range.middle;
        ++memory.counters[(g * search.classes() + 2 * all + (reverse ? 1 : 0)) * HalfSearch::lanes +
                          lane];
        take(run.begin + g, i, reverse, all);
      }
    }
  }
}

}  // namespace join_detail

/// Then, each lane compares every 32nd site with all guides of the run, counts those that are near,
/// and calls take(slot, site, reverse, mismatches) with each. Pre: all lanes have begun; the run
/// has at most `most_guides` guides.
template <std::uint32_t most_guides, class Take>
GSX_HD void join_run(const HalfSearch& search, const GuideRun& run, std::uint32_t lane,
                     const JoinMemory& memory, const Take& take) {
  if constexpr (most_guides > 4) {
    if (run.size() > 4) {
      join_detail::compare_sites<most_guides>(search, run, lane, memory, take);
      return;
    }
  }
  if constexpr (most_guides > 2) {
    if (run.size() > 2) {
      join_detail::compare_sites<4>(search, run, lane, memory, take);
      return;
    }
  }
  if constexpr (most_guides > 1) {
    if (run.size() > 1) {
      join_detail::compare_sites<2>(search, run, lane, memory, take);
      return;
    }
  }
  join_detail::compare_sites<1>(search, run, lane, memory, take);
}

/// Last, each lane sums the counters of all lanes for some classes, and calls
/// add(slot, reverse, mismatches, sum) where there are any. Pre: all lanes have compared.
template <class Add>
GSX_HD void end_join(const HalfSearch& search, const GuideRun& run, std::uint32_t lane,
                     const JoinMemory& memory, const Add& add) {
  const std::uint32_t classes = search.classes();
  for (std::uint32_t i = lane; i < run.size() * classes; i += HalfSearch::lanes) {
    std::uint32_t sum = 0;
    for (std::uint32_t other = 0; other < HalfSearch::lanes; ++other)  // each lane in another bank
      sum += memory.counters[i * HalfSearch::lanes + (other + lane) % HalfSearch::lanes];
    if (sum != 0) add(run.begin + i / classes, (i % classes & 1) != 0, i % classes / 2, sum);
  }
}

}  // namespace gsx
