// Finds a pattern by reading the whole text; for patterns that occur nearly everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/hits.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Reads the text once and gives the hits of a pattern in output order, so that they need not be
/// sorted or held, however many there are.
class TextScan {
 public:
  /// Searches the pattern as given if `forward`, and its reverse complement if `reverse`. Pre: the
  /// pattern is not empty, and its codes are below text.sigma.
  TextScan(const TextView& text, std::span<const std::uint8_t> pattern, bool forward, bool reverse);

  /// Appends the next hits until there are `most` in `hits`, or one more; false if the text has no
  /// more. Cost: about a nanosecond per position; where the first word matches, another per 28
  /// bases of the pattern.
  bool next(std::vector<Hit>& hits, std::size_t most);

  /// An upper estimate of the cost of a whole scan, in positions read.
  static std::uint64_t cost(const TextView& text, std::uint64_t pattern_length);

 private:
  /// A strand of the pattern, packed in words to compare with windows of the text.
  using Words = std::vector<std::uint64_t>;
  Words pack(std::span<const std::uint8_t> pattern, bool complement) const;
  bool matches_at(std::uint64_t position, const Words& strand) const;

  TextView text_;
  std::uint64_t length_;        ///< of the pattern
  std::uint64_t word_symbols_;  ///< symbols per word; the last word may have fewer
  std::uint64_t segment_ = 0;
  std::uint64_t position_ = 0;  ///< the next position to compare
  Words forward_;               ///< empty if this strand is not searched
  Words reverse_;
};

}  // namespace gsx
