// Searching with edits: what is asked, what is counted, and who answers.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/host_device.hpp"
#include "index/store/index.hpp"
#include "search/exact/hits.hpp"
#include "search/mismatches/mismatches.hpp"
#include "search/searcher_of.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Most symbols of a pattern.
inline constexpr std::uint64_t longest_edit_pattern = 100'000;

/// Pattern i is symbols[ends[i - 1], ends[i]); the first one starts at `begin`. In a search of DNA,
/// a symbol is the BaseSet that it matches, of which must_match is ignored; elsewhere it is a code
/// of the text's alphabet. The empty set and Alphabet::none match nothing.
struct EditPatterns {
  std::span<const std::uint8_t> symbols;
  std::span<const std::uint64_t> ends;
  std::uint64_t begin = 0;

  /// Patterns for a text of DNA.
  static EditPatterns of(const SetPatterns& patterns) {
    return {patterns.sets, patterns.ends, patterns.begin};
  }
  std::size_t size() const { return ends.size(); }
  std::uint64_t begin_of(std::size_t i) const { return i == 0 ? begin : ends[i - 1]; }
  std::span<const std::uint8_t> operator[](std::size_t i) const {
    return symbols.subspan(begin_of(i), ends[i] - begin_of(i));
  }
  /// Patterns [first, last). Pre: first <= last <= size().
  EditPatterns some(std::size_t first, std::size_t last) const {
    return {symbols, ends.subspan(first, last - first), begin_of(first)};
  }
};

/// What to find: the ends of each pattern, on the strands, with at most `edits` edits (README.md
/// says which ends). A pattern that cannot be asked (can_be_asked_with_edits()) has none.
struct EditRequest {
  Strands strands = Strands::both;  ///< a text that is not DNA has the forward strand only
  std::uint32_t edits = 0;
  bool all_ends = false;               ///< every end, not only one per valley
  bool best = false;                   ///< only hits with the pattern's fewest edits
  std::uint64_t max_hits = unlimited;  ///< most hits to report per pattern: those with the fewest
                                       ///< edits, and among equal ones the first in order
};

/// Whether a strand is searched.
inline bool is_searched(Strands strands, bool dna, bool reverse) {
  return strands != (reverse ? Strands::forward : Strands::reverse) && (dna || !reverse);
}

/// Whether a pattern can be asked for with up to `edits` edits: it has more symbols than that, at
/// most longest_edit_pattern, and, if they are sets of bases, not each of them matches any base.
bool can_be_asked_with_edits(std::span<const std::uint8_t> pattern, bool dna, std::uint32_t edits);

/// A place that a pattern is aligned to: its symbols [position(), end()) of the text, its strand,
/// and the edits. Hits compare in output order: by start, end, then strand.
class EditHit {
 public:
  EditHit() = default;
  GSX_HD EditHit(std::uint64_t position, std::uint64_t end, bool reverse, std::uint32_t edits)
      : place_(position << 1 | (reverse ? 1 : 0)),
        length_(static_cast<std::uint32_t>(end - position)),
        edits_(edits) {}
  GSX_HD std::uint64_t position() const { return place_ >> 1; }
  GSX_HD std::uint64_t end() const { return position() + length_; }
  GSX_HD bool is_reverse() const { return (place_ & 1) != 0; }
  GSX_HD std::uint32_t edits() const { return edits_; }
  friend auto operator<=>(const EditHit& a, const EditHit& b) {
    if (const auto order = a.position() <=> b.position(); order != 0) return order;
    if (const auto order = a.length_ <=> b.length_; order != 0) return order;
    return a.place_ <=> b.place_;
  }
  friend bool operator==(const EditHit&, const EditHit&) = default;

 private:
  std::uint64_t place_ = 0;   ///< the start, then one bit for the strand
  std::uint32_t length_ = 0;  ///< below 2 * longest_edit_pattern
  std::uint32_t edits_ = 0;
};
static_assert(sizeof(EditHit) == 16);

/// Hits of consecutive patterns of a batch, under the rules of HitChunk.
struct EditChunk {
  std::size_t first = 0;                 ///< number of the first pattern in the batch
  std::uint64_t before = 0;              ///< hits of the first pattern in earlier chunks
  std::uint64_t max_hits = unlimited;    ///< most hits reported per pattern
  std::span<const StrandCounts> counts;  ///< all hits of each pattern; with `best`, all best ones
  std::span<const std::uint64_t> ends;   ///< end of each pattern's hits in `hits`
  std::span<const EditHit> hits;         ///< those of each pattern in output order
  /// If the hits of a pattern are spread over several chunks: the fewest edits of any of them.
  std::uint32_t fewest_edits = 0;

  std::size_t patterns() const { return counts.size(); }
  /// Hits of the i-th pattern of the chunk that all chunks together report.
  std::uint64_t reported(std::size_t i) const { return std::min(max_hits, counts[i].total()); }
};

/// Takes the chunks of a batch, as HitSink does.
using EditSink = std::function<void(const EditChunk& chunk)>;

/// Numbers of hits of the patterns of a batch, by strand and by number of edits (which the members'
/// names call mismatches).
using EditCounts = MismatchCounts;

/// What is searched: a text, and the index that it belongs to, if there is one. Both must outlive
/// the searcher.
struct EditTarget {
  TextView text;
  bool dna = true;  ///< whether codes are bases: patterns are of BaseSets, and have two strands
  const Index* index = nullptr;
};

class EditProgress;
class EditSearcher;

/// The search for places that a few edits make of a pattern.
struct EditSearch {
  using Batch = EditPatterns;
  using Request = EditRequest;
  using CountRequest = const EditRequest&;  ///< its max_hits does not matter
  using Counts = EditCounts;
  using Sink = EditSink;
  using Progress = EditProgress;
  using Searcher = EditSearcher;
  struct Setup {
    EditTarget target;
    int threads = 1;
    SearchMemory memory = {};
  };
};

/// Finds all hits with edits, completely; those of a pattern in output order. A call uses as many
/// threads as other calls leave it.
class EditSearcher : public SearcherOf<EditSearch> {};

/// Of the hits from number `begin` on, which are in output order, keeps the `most` with the fewest
/// edits, among equal ones the first; in output order. Cost: two passes, and a sort of the numbers
/// of edits.
void keep_fewest_edits(std::vector<EditHit>& hits, std::uint64_t most, std::size_t begin = 0);

/// Leaves the counts of the fewest edits of each pattern, and no others.
void keep_best_counts(EditCounts& counts);

}  // namespace gsx
