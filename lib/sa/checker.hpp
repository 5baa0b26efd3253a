// Is this array the suffix array of this text? In linear time.
#pragma once

#include <cstdint>
#include <optional>

#include "sa/suffix_array.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The first row found to be wrong, or nothing when `rows` is the suffix array of `text`.
///
/// Three facts make an array the suffix array (Burkhardt and Kärkkäinen, 2003): rows are ordered
/// by first symbol; the separators' rows are in position order; and stepping back from any row by
/// one symbol lands on the row that the counts of symbols say. Each is checked for every row.
/// Pre: rows.size() == text.length(). Cost: O(n) time on `threads` threads, no memory a symbol.
std::optional<std::uint64_t> find_wrong_row(const TextView& text, const SuffixArray& rows,
                                            int threads);

}  // namespace gsx
