// Checking in linear time whether an array is the suffix array of a text.
#pragma once

#include <cstdint>
#include <optional>

#include "index/sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Returns a row that is wrong, or nothing if `sa` is the suffix array of `text`.
///
/// An array is the suffix array if three facts hold for every row (Burkhardt and Kärkkäinen, 2003):
/// the rows are ordered by first symbol; the rows of separators are in position order; and the
/// suffix that is one symbol longer stands in the row that the counts of the symbols predict.
/// Pre: sa.size() == text.length(). Cost: O(n) time on `threads` threads, no memory per symbol.
std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& sa,
                                            int threads);

}  // namespace gsx
