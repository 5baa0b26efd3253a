#include "search/exact/equal_searcher.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "search/exact/cpu_locate.hpp"
#include "search/exact/equal_walks.hpp"

namespace gsx {
namespace {

/// Patterns that are searched together.
constexpr std::size_t patterns_per_batch = std::size_t{1} << 12;

/// What each of some patterns matches, in suffix order.
template <class Pos>
class RowsOfPatterns {
 public:
  void add(std::size_t pattern, Interval<Pos> rows) { all_.push_back({pattern, rows}); }
  /// Of patterns [0, count), to which it refers.
  FoundRows<Pos> sorted(std::size_t count) {
    std::sort(all_.begin(), all_.end(), [](const OfPattern& a, const OfPattern& b) {
      return a.pattern != b.pattern ? a.pattern < b.pattern : a.rows.begin < b.rows.begin;
    });
    found_.clear();
    ends_.assign(count, 0);
    for (const OfPattern& one : all_) {
      found_.push_back({one.rows.begin, one.rows.count(), false});
      ++ends_[one.pattern];
    }
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    return {found_, ends_};
  }
  void clear() { all_.clear(); }

 private:
  struct OfPattern {
    std::size_t pattern;
    Interval<Pos> rows;  ///< of one of the strings that it matches
  };
  std::vector<OfPattern> all_;
  std::vector<Found<Pos>> found_;
  std::vector<std::size_t> ends_;
};

}  // namespace

EqualSearcher::EqualSearcher(const Index& index, CodeClasses classes, const SearchMemory& memory,
                             CpuPath path)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0),
      text_(index.text()),
      classes_(std::move(classes)),
      memory_(memory),
      wide_(is_wide(index.meta().length, PositionWidth::automatic)),
      path_(path) {}

template <class Pos>
void EqualSearcher::count_patterns(const Patterns& patterns,
                                   std::vector<StrandCounts>& counts) const {
  const FmView fm = fm_.view(patterns.symbols());
  EqualWalks<Pos>(fm, classes_, patterns).run([&](std::size_t pattern, Interval<Pos> rows) {
    counts[pattern].forward += rows.count();
  });
}

void EqualSearcher::count(const Patterns& patterns, Strands strands,
                          std::vector<StrandCounts>& counts) const {
  counts.assign(patterns.size(), {});
  if (strands == Strands::reverse) return;
  if (wide_) {
    count_patterns<std::uint64_t>(patterns, counts);
  } else {
    count_patterns<std::uint32_t>(patterns, counts);
  }
}

template <class Pos>
void EqualSearcher::stream(const Patterns& patterns, const LocateRequest& request,
                           const HitSink& sink) const {
  CpuLocate<Pos> locate(fm_, text_, path_, memory_, request.max_hits, sink);
  RowsOfPatterns<Pos> found;
  for (std::size_t first = 0; first < patterns.size(); first += patterns_per_batch) {
    const Patterns some =
        patterns.some(first, std::min(patterns.size(), first + patterns_per_batch));
    found.clear();
    if (request.strands != Strands::reverse) {
      EqualWalks<Pos>(fm_.view(some.symbols()), classes_, some)
          .run([&](std::size_t pattern, Interval<Pos> rows) { found.add(pattern, rows); });
    }
    locate.run(patterns, first, found.sorted(some.size()));
  }
}

void EqualSearcher::stream(const Patterns& patterns, const LocateRequest& request,
                           const HitSink& sink) const {
  if (wide_) {
    stream<std::uint64_t>(patterns, request, sink);
  } else {
    stream<std::uint32_t>(patterns, request, sink);
  }
}

}  // namespace gsx
