// Turns rows into sorted hits on the CPU, a bounded number at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/cpu_search.hpp"
#include "search/exact/hits.hpp"
#include "search/exact/huge_page_fm.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// What a pattern and its reverse complement match; nothing for a strand that is not searched.
template <class Pos>
using StrandsFound = std::array<Found<Pos>, 2>;

/// What consecutive patterns match: any number of intervals of rows on each strand, of a pattern in
/// suffix order. Refers to what it is made of.
template <class Pos>
class FoundRows {
 public:
  /// One interval on each strand: the patterns match themselves, symbol by symbol.
  explicit FoundRows(std::span<const StrandsFound<Pos>> found)
      : rows_(found.empty() ? nullptr : found.data()->data()), size_(found.size()) {}
  /// On the forward strand, pattern i has the intervals [ends[i - 1], ends[i]), those of all
  /// strings that it stands for.
  FoundRows(std::span<const Found<Pos>> rows, std::span<const std::size_t> ends)
      : rows_(rows.data()), ends_(ends.data()), size_(ends.size()) {}

  std::size_t size() const { return size_; }
  /// Whether each pattern matches itself only.
  bool are_exact() const { return ends_ == nullptr; }
  std::span<const Found<Pos>> of(std::size_t i, bool reverse) const {
    if (are_exact()) return {rows_ + 2 * i + (reverse ? 1 : 0), 1};
    if (reverse) return {};
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {rows_ + begin, ends_[i] - begin};
  }
  StrandCounts counts(std::size_t i) const {
    StrandCounts counts;
    for (const Found<Pos>& rows : of(i, false))
      counts.forward += rows.count;
    for (const Found<Pos>& rows : of(i, true))
      counts.reverse += rows.count;
    return counts;
  }

 private:
  const Found<Pos>* rows_;
  const std::size_t* ends_ = nullptr;
  std::size_t size_;
};

/// Turns what a batch of patterns matches into chunks of hits. Patterns with few hits share a
/// chunk. If a pattern that matches itself only has more hits than may be held, or so many that
/// reading the whole text is less work, a TextScan finds them. Otherwise, and if only some of so
/// many are reported, they are located several times; each pass keeps those in one range of the
/// text.
template <class Pos>
class CpuLocate {
 public:
  CpuLocate(const HugePageFm& index, const TextView& text, CpuPath path, const SearchMemory& memory,
            std::uint64_t max_hits, const HitSink& sink);

  /// Gives the hits of patterns [first, first + found.size()), which must be the next ones.
  void run(const Patterns& patterns, std::size_t first, const FoundRows<Pos>& found);

 private:
  /// Some of what a batch matches, that of consecutive patterns.
  struct Part {
    const FoundRows<Pos>& found;
    std::size_t begin, end;
    std::size_t first;  ///< number of the first pattern of all in `found`
  };
  std::uint64_t reported(const FoundRows<Pos>& found, std::size_t i) const {
    return std::min(max_hits_, found.counts(i).total());
  }
  bool is_scanned(const StrandCounts& counts, std::uint64_t pattern_length) const;
  void give_group(const Part& group);
  void give_scanned(std::span<const std::uint8_t> pattern, std::size_t number,
                    const StrandCounts& counts);
  void give_in_ranges(const Part& one);
  /// Gives hits_, which belong to one pattern; `before` of its hits have been given already.
  void give_part(std::size_t number, const StrandCounts& counts, std::uint64_t before);
  template <class Take>
  void for_each_hit(const Part& part, const Take& take);

  const HugePageFm& index_;
  const TextView text_;
  SearchLoops<Pos> loops_;
  std::uint64_t most_;   ///< hits held at a time
  std::uint64_t group_;  ///< most hits of several patterns that share a chunk
  std::uint64_t max_hits_;
  const HitSink& sink_;
  std::vector<Hit> hits_;
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace gsx
