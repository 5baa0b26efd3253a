#include "backend/cpu_searcher.hpp"

#include <algorithm>
#include <array>

#include "backend/cpu_search.hpp"

namespace gsx {
namespace {

/// Rows of every pattern and its reverse complement; none on a strand that is not searched.
template <class Pos>
std::vector<std::array<Interval<Pos>, 2>> search_all(const FmView& fm, const Patterns& patterns,
                                                     Strands strands, bool complements,
                                                     CpuPath path) {
  std::vector<std::array<Interval<Pos>, 2>> intervals(patterns.size());
  const bool forward = strands != Strands::reverse;
  const bool reverse = complements && strands != Strands::forward;
  if (!intervals.empty() && (forward || reverse)) {
    search_loops<Pos>(path).search(fm, patterns, forward, reverse, intervals.data()->data());
  }
  return intervals;
}

template <class Pos>
void count_patterns(const FmView& fm, const Patterns& patterns, Strands strands, bool complements,
                    CpuPath path, std::vector<StrandCounts>& counts) {
  const auto intervals = search_all<Pos>(fm, patterns, strands, complements, path);
  std::transform(intervals.begin(), intervals.end(), counts.begin(), [](const auto& both) {
    return StrandCounts{both[0].count(), both[1].count()};
  });
}

template <class Pos>
void locate_patterns(const SearchedFm& index, const Patterns& patterns, Strands strands,
                     bool complements, CpuPath path, std::uint64_t max_hits, Hits& result) {
  const auto intervals =
      search_all<Pos>(index.view(patterns.codes.size()), patterns, strands, complements, path);
  std::vector<Pos> rows;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto& [forward, reverse] = intervals[i];
    result.counts[i] = {forward.count(), reverse.count()};
    const std::uint64_t from_forward = std::min<std::uint64_t>(max_hits, forward.count());
    const std::uint64_t from_reverse =
        std::min<std::uint64_t>(max_hits - from_forward, reverse.count());
    for (std::uint64_t k = 0; k < from_forward; ++k) {
      rows.push_back(static_cast<Pos>(forward.begin + k));
    }
    for (std::uint64_t k = 0; k < from_reverse; ++k) {
      rows.push_back(static_cast<Pos>(reverse.begin + k));
    }
    result.hit_ends.push_back(rows.size());
  }
  std::vector<std::uint64_t> positions(rows.size());
  const FmView fm = index.view(rows.size() * index.sample_rate());
  search_loops<Pos>(path).locate(fm, rows.data(), positions.data(), rows.size());
  result.hits.resize(rows.size());
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::uint64_t end = result.hit_ends[i];
    const std::uint64_t forward_end =
        begin + std::min<std::uint64_t>(end - begin, result.counts[i].forward);
    for (std::uint64_t k = begin; k < end; ++k) {
      result.hits[k] = Hit(positions[k], k >= forward_end);
    }
    std::sort(result.hits.begin() + static_cast<std::ptrdiff_t>(begin),
              result.hits.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
}

}  // namespace

CpuSearcher::CpuSearcher(const Index& index, int threads)
    : fm_(index.fm()),
      complements_(index.alphabet().has_reverse_complement()),
      wide_(is_wide(index.meta().length, PositionWidth::automatic)),
      threads_(threads),
      path_(cpu_path()),
      sequence_(fm_, path_, threads_) {}

void CpuSearcher::count(const Patterns& patterns, Strands strands,
                        std::vector<StrandCounts>& counts) const {
  counts.assign(patterns.size(), {});
  const FmView fm = fm_.view(patterns.codes.size());
  if (wide_) {
    count_patterns<std::uint64_t>(fm, patterns, strands, complements_, path_, counts);
  } else {
    count_patterns<std::uint32_t>(fm, patterns, strands, complements_, path_, counts);
  }
}

void CpuSearcher::locate(const Patterns& patterns, Strands strands, std::uint64_t max_hits,
                         Hits& hits) const {
  hits.counts.assign(patterns.size(), {});
  hits.hits.clear();
  hits.hit_ends.clear();
  if (wide_) {
    locate_patterns<std::uint64_t>(fm_, patterns, strands, complements_, path_, max_hits, hits);
  } else {
    locate_patterns<std::uint32_t>(fm_, patterns, strands, complements_, path_, max_hits, hits);
  }
}

}  // namespace gsx
