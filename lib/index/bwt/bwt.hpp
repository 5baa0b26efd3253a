// The Burrows-Wheeler transform of a text from its suffix array.
#pragma once

#include <cstdint>

#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Computes the BWT on request: row i holds the symbol before the suffix of rank i, or a separator
/// if a segment starts there. Refers to the text and the suffix array; stores nothing.
class Bwt {
 public:
  /// What codes() writes for a separator.
  static constexpr std::uint8_t separator = 0xFF;

  Bwt(const TextView& text, const SuffixArray& sa) : text_(text), sa_(&sa) {}

  /// Writes the codes of rows [begin, end) to out[0, end - begin). Several threads may call it.
  /// Pre: begin <= end <= n. Cost: one access to the text per row.
  void codes(std::uint64_t begin, std::uint64_t end, std::uint8_t* out) const;
  std::uint64_t size() const { return text_.length(); }

 private:
  TextView text_;
  const SuffixArray* sa_;
};

/// Writes the codes of `count` rows of a suffix array, from `sa` on, to out[0, count), as
/// Bwt::codes() does.
template <class Pos>
void bwt_codes(const TextView& text, const Pos* sa, std::uint64_t count, std::uint8_t* out);

}  // namespace gsx
