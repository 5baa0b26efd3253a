// The Burrows-Wheeler transform of a text, from its suffix array, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The BWT on request: row i holds the symbol before the suffix of rank i, or a separator where a
/// segment starts. Refers to the text and the suffix array, holds nothing.
class Bwt {
 public:
  /// What codes() writes for a separator.
  static constexpr std::uint8_t separator = 0xFF;

  Bwt(const TextView& text, const SuffixArray& rows) : text_(text), rows_(&rows) {}

  /// Writes the codes of rows [begin, end) to out[0, end - begin). May be called by several
  /// threads. Pre: begin <= end <= n. Cost: one access to the text a row.
  void codes(std::uint64_t begin, std::uint64_t end, std::uint8_t* out) const;
  std::uint64_t size() const { return text_.length(); }

 private:
  TextView text_;
  const SuffixArray* rows_;
};

/// Writes the codes of `count` rows of a suffix array, which start at `rows`, to out[0, count), as
/// Bwt::codes does.
template <class Pos>
void bwt_codes(const TextView& text, const Pos* rows, std::uint64_t count, std::uint8_t* out);

/// The text whose BWT is `bwt`: its segments in order, each followed by `separator`.
/// Separators are smaller than all other symbols and ordered by position, so row k < m is where
/// segment k ends, and stepping back from there spells the segment; which separator is which never
/// has to be known. The other symbols are ordered as bytes.
/// Cost: 8 bytes a symbol of memory, one random access a symbol, in parallel over segments.
/// Throws InputError when `bwt` is not the BWT of any text.
std::string invert_bwt(std::string_view bwt, char separator, int threads);

}  // namespace gsx
