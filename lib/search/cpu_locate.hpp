// Turns rows into sorted hits on the CPU, a bounded number at a time.
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

/// What a pattern and its reverse complement match; nothing for a strand that is not searched.
template <class Pos>
using StrandsFound = std::array<Found<Pos>, 2>;

/// Turns what a batch of patterns matches into chunks of hits. Patterns with few hits share a
/// chunk. If a pattern has more hits than may be held, or so many that reading the whole text is
/// less work, a TextScan finds them. If only some of so many are reported, they are located several
/// times; each pass keeps those in one range of the text.
template <class Pos>
class CpuLocate {
 public:
  CpuLocate(const HugePageFm& index, const TextView& text, CpuPath path, const SearchMemory& memory,
            std::uint64_t max_hits, const HitSink& sink);

  /// Gives the hits of patterns [first, first + found.size()), which must be the next ones.
  void run(const Patterns& patterns, std::size_t first, std::span<const StrandsFound<Pos>> found);

 private:
  /// How many rows of a pattern are reported: forward rows first, then reverse rows.
  struct Reported {
    std::uint64_t forward;
    std::uint64_t reverse;
    std::uint64_t total() const { return forward + reverse; }
  };
  Reported reported(const StrandsFound<Pos>& found) const;
  bool is_scanned(const StrandsFound<Pos>& found, std::uint64_t pattern_length) const;
  void give_group(std::size_t first, std::span<const StrandsFound<Pos>> found);
  void give_scanned(std::span<const std::uint8_t> pattern, std::size_t number,
                    const StrandsFound<Pos>& found);
  void give_in_ranges(std::size_t number, const StrandsFound<Pos>& found);
  /// Gives hits_, which belong to one pattern; `before` of its hits have been given already.
  void give_part(std::size_t number, const StrandCounts& counts, std::uint64_t before);
  template <class Take>
  void for_each_hit(const StrandsFound<Pos>& found, const Take& take);

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
