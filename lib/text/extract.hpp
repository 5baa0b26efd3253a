// Gives records back from a text, symbol for symbol.
#pragma once

#include <cstdint>
#include <string>

#include "text/text.hpp"

namespace gsx {

/// Appends symbols [begin, end) of a record to `out`, with ambiguous runs and soft-masked bases;
/// DNA and protein in upper case. Pre: begin <= end <= length of the record. Cost: O(end - begin),
/// and a binary search among the record's segments and gaps.
void extract(const TextView& text, const RecordsView& records, const Alphabet& alphabet,
             std::uint64_t record, std::uint64_t begin, std::uint64_t end, std::string& out);

/// Turns those bases to lower case that soft-masking kept out of the text. `symbols` holds `count`
/// symbols of a record, from `begin` on. Cost: O(count), and a binary search among the record's
/// gaps.
void lower_masked_bases(const RecordsView& records, std::uint64_t record, std::uint64_t begin,
                        char* symbols, std::uint64_t count);

}  // namespace gsx
