// Finding a pattern by reading the whole text: for patterns that occur nearly everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/hits.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Goes through the text once and gives the hits of a pattern in output order, so that no number of
/// them has to be sorted, or held.
class TextScan {
 public:
  /// The pattern as given, if `forward`, and its reverse complement, if `reverse`.
  /// Pre: the pattern is not empty; its codes are below text.sigma.
  TextScan(const TextView& text, std::span<const std::uint8_t> pattern, bool forward, bool reverse);

  /// Appends the hits that come next, until there are `most` in `hits`, or one more; false when the
  /// text has no more. Cost: about a nanosecond per position, and one per 28 bases of the pattern
  /// where its begin matches.
  bool next(std::vector<Hit>& hits, std::size_t most);

  /// What a whole scan costs, in positions read, at most about.
  static std::uint64_t cost(const TextView& text, std::uint64_t pattern_length);

 private:
  /// A strand of the pattern, as numbers that compare with what the text holds.
  using Words = std::vector<std::uint64_t>;
  Words pack(std::span<const std::uint8_t> pattern, bool complement) const;
  bool matches_at(std::uint64_t position, const Words& strand) const;

  TextView text_;
  std::uint64_t length_;        ///< of the pattern
  std::uint64_t word_symbols_;  ///< symbols per word, but for the last
  std::uint64_t segment_ = 0;
  std::uint64_t position_ = 0;  ///< the next to look at
  Words forward_;               ///< empty: not searched
  Words reverse_;
};

}  // namespace gsx
