// From rows to sorted hits on the CPU, a bounded number at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "search/cpu_search.hpp"
#include "search/hits.hpp"
#include "search/huge_page_fm.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Rows of a pattern and of its reverse complement; none on a strand that is not searched.
template <class Pos>
using StrandRows = std::array<Interval<Pos>, 2>;

/// Turns the rows of a batch's patterns into chunks of hits. Patterns of few hits share a chunk. A
/// pattern with more hits than are held at a time, or with so many that reading the whole text is
/// less work, is found by a TextScan; where only some of so many are reported, they are located
/// several times, and each time those in one range of the text are kept.
template <class Pos>
class CpuLocate {
 public:
  CpuLocate(const HugePageFm& index, const TextView& text, CpuPath path, const SearchMemory& memory,
            std::uint64_t max_hits, const HitSink& sink);

  /// Gives the hits of patterns [first, first + rows.size()), which are the next ones.
  void run(const Patterns& patterns, std::size_t first, std::span<const StrandRows<Pos>> rows);

 private:
  /// A pattern's rows of which hits are reported: the forward strand's, then the reverse strand's.
  struct Reported {
    std::uint64_t forward;
    std::uint64_t reverse;
    std::uint64_t total() const { return forward + reverse; }
  };
  Reported reported(const StrandRows<Pos>& rows) const;
  bool is_scanned(const StrandRows<Pos>& rows, std::uint64_t pattern_length) const;
  void give_group(std::size_t first, std::span<const StrandRows<Pos>> rows);
  void give_scanned(std::span<const std::uint8_t> pattern, std::size_t number,
                    const StrandRows<Pos>& rows);
  void give_in_ranges(std::size_t number, const StrandRows<Pos>& rows);
  /// Gives hits_, which are some of one pattern's; `before` went before them.
  void give_part(std::size_t number, const StrandCounts& counts, std::uint64_t before);
  template <class Take>
  void for_each_hit(const StrandRows<Pos>& rows, const Take& take);

  const HugePageFm& index_;
  const TextView text_;
  SearchLoops<Pos> loops_;
  std::uint64_t most_;   ///< hits that are held at a time
  std::uint64_t group_;  ///< hits of several patterns that are given together
  std::uint64_t max_hits_;
  const HitSink& sink_;
  std::vector<Hit> hits_;
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace gsx
