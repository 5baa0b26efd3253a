#include "search/equal_searcher.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "search/cpu_search.hpp"
#include "search/equal_walks.hpp"

namespace gsx {
namespace {

/// Patterns that are searched together, and most of their hits that share a chunk.
constexpr std::size_t patterns_at_once = std::size_t{1} << 12;
constexpr std::uint64_t largest_group = std::uint64_t{1} << 16;
/// Rows located per call.
constexpr std::size_t rows_at_once = 2048;

/// The rows of one string that a pattern matches.
template <class Pos>
struct PatternRows {
  std::size_t pattern;
  Interval<Pos> rows;
};

/// Turns rows into chunks of hits.
template <class Pos>
class RowHits {
 public:
  using Rows = std::span<const PatternRows<Pos>>;

  RowHits(const HugePageFm& fm, std::uint64_t text_length, CpuPath path, const SearchMemory& memory,
          std::uint64_t max_hits, const HitSink& sink)
      : fm_(fm),
        text_length_(text_length),
        loops_(search_loops<Pos>(path)),
        most_(std::max<std::uint64_t>(1, memory.hits_at_once)),
        group_(std::min(most_, largest_group)),
        max_hits_(max_hits),
        sink_(sink) {}

  /// Takes the rows of the next pattern, in suffix order.
  void add(std::size_t pattern, Rows rows) {
    std::uint64_t total = 0;
    for (const PatternRows<Pos>& some : rows)
      total += some.rows.count();
    const std::uint64_t reported = std::min(total, max_hits_);
    if (rows_.size() + reported > group_) give();
    if (reported > group_) return give_in_ranges(pattern, rows, {total, 0}, reported);
    if (counts_.empty()) first_ = pattern;
    for_each_row(rows, reported, [&](Pos row) { rows_.push_back(row); });
    counts_.push_back({total, 0});
    ends_.push_back(rows_.size());
  }
  /// Gives what is held.
  void give() {
    if (counts_.empty()) return;
    hits_.clear();
    locate(std::span<const Pos>(rows_), [&](const Hit& hit) { hits_.push_back(hit); });
    std::uint64_t begin = 0;
    for (const std::uint64_t end : ends_) {
      std::sort(hits_.begin() + static_cast<std::ptrdiff_t>(begin),
                hits_.begin() + static_cast<std::ptrdiff_t>(end));
      begin = end;
    }
    sink_({first_, 0, max_hits_, counts_, ends_, hits_});
    counts_.clear();
    ends_.clear();
    rows_.clear();
  }

 private:
  /// Calls take(row) for the first rows.
  template <class Take>
  static void for_each_row(Rows rows, std::uint64_t most, const Take& take) {
    for (const PatternRows<Pos>& some : rows) {
      for (Pos row = some.rows.begin; row < some.rows.end && most > 0; ++row, --most)
        take(row);
    }
  }
  /// Calls take(hit) for each row.
  template <class Take>
  void locate(std::span<const Pos> rows, const Take& take) const {
    const FmView fm = fm_.view(rows.size() * fm_.sample_rate());
    std::array<std::uint64_t, rows_at_once> positions;
    for (std::size_t begin = 0; begin < rows.size(); begin += rows_at_once) {
      const std::size_t count = std::min(rows_at_once, rows.size() - begin);
      loops_.locate(fm, rows.data() + begin, positions.data(), count);
      for (std::size_t i = 0; i < count; ++i)
        take(Hit(positions[i], false));
    }
  }
  /// Calls take(hit) for the first rows.
  template <class Take>
  void for_each_hit(Rows rows, std::uint64_t most, const Take& take) {
    rows_.clear();
    const auto locate_some = [&] {
      locate(std::span<const Pos>(rows_), take);
      rows_.clear();
    };
    for_each_row(rows, most, [&](Pos row) {
      rows_.push_back(row);
      if (rows_.size() == rows_at_once) locate_some();
    });
    locate_some();
  }

  /// Gives the hits of a pattern that has many. If they are more than may be held, they are located
  /// several times, and each time those in one range of the text are kept.
  void give_in_ranges(std::size_t pattern, Rows rows, const StrandCounts& total,
                      std::uint64_t reported) {
    unsigned shift = 63;  // one range, if all hits may be held
    std::vector<std::uint64_t> buckets{reported};
    if (reported > most_) {
      shift = 0;
      while (std::uint64_t{2} << shift <= most_)
        ++shift;
      buckets.assign((text_length_ >> shift) + 1, 0);
      for_each_hit(rows, reported, [&](const Hit& hit) { ++buckets[hit.position() >> shift]; });
    }
    hits_.clear();
    std::uint64_t given = 0;
    for (std::size_t begin = 0, end = 0; begin < buckets.size(); begin = end) {
      std::uint64_t held = 0;
      while (end < buckets.size() && (end == begin || held + buckets[end] <= most_))
        held += buckets[end++];
      if (held == 0) continue;
      for_each_hit(rows, reported, [&](const Hit& hit) {
        const std::uint64_t bucket = hit.position() >> shift;
        if (bucket >= begin && bucket < end) hits_.push_back(hit);
      });
      std::sort(hits_.begin(), hits_.end());
      sink_({pattern, given, max_hits_, {&total, 1}, {&held, 1}, hits_});
      given += held;
      hits_.clear();
    }
  }

  const HugePageFm& fm_;
  std::uint64_t text_length_;
  SearchLoops<Pos> loops_;
  std::uint64_t most_;   ///< hits held at a time
  std::uint64_t group_;  ///< most hits of several patterns that share a chunk
  std::uint64_t max_hits_;
  const HitSink& sink_;
  std::size_t first_ = 0;  ///< pattern of the next chunk
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Pos> rows_;  ///< of the hits that are held, and some of those that are located
  std::vector<Hit> hits_;
};

}  // namespace

EqualSearcher::EqualSearcher(const Index& index, CodeClasses classes, const SearchMemory& memory,
                             CpuPath path)
    : fm_(index.fm(), index.is_mapped() ? memory.index_copy : 0),
      length_(index.meta().length),
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
  RowHits<Pos> hits(fm_, length_, path_, memory_, request.max_hits, sink);
  std::vector<PatternRows<Pos>> found;
  for (std::size_t first = 0; first < patterns.size(); first += patterns_at_once) {
    const std::size_t last = std::min(patterns.size(), first + patterns_at_once);
    const Patterns some = patterns.some(first, last);
    const FmView fm = fm_.view(some.symbols());
    found.clear();
    if (request.strands != Strands::reverse) {
      EqualWalks<Pos>(fm, classes_, some).run([&](std::size_t pattern, Interval<Pos> rows) {
        found.push_back({first + pattern, rows});
      });
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.pattern != b.pattern ? a.pattern < b.pattern : a.rows.begin < b.rows.begin;
    });
    std::size_t begin = 0;
    for (std::size_t pattern = first; pattern < last; ++pattern) {
      std::size_t end = begin;
      while (end < found.size() && found[end].pattern == pattern)
        ++end;
      hits.add(pattern, std::span(found).subspan(begin, end - begin));
      begin = end;
    }
  }
  hits.give();
}

void EqualSearcher::stream_hits(const Patterns& patterns, const LocateRequest& request,
                                const HitSink& sink) const {
  if (wide_) {
    stream<std::uint64_t>(patterns, request, sink);
  } else {
    stream<std::uint32_t>(patterns, request, sink);
  }
}

}  // namespace gsx
