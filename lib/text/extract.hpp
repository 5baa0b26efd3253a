// Gives records back from a text, symbol for symbol.
#pragma once

#include <cstdint>
#include <functional>
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

/// MD5 of a whole record, as extract() gives it.
Md5 md5_of_record(const TextView& text, const RecordsView& records, const Alphabet& alphabet,
                  std::uint64_t record);

/// Computes the MD5 of every record, which an index file needs. A suffix array may be built at the
/// same time: nothing that text.view() refers to changes. Cost: 1.6 ns per symbol, shared by the
/// threads; each record is hashed by one thread.
void checksum_records(Text& text, int threads);

/// Does the same while `main` runs; see run_beside().
void checksum_records_beside(Text& text, int threads, int aside, const std::function<void()>& main);

}  // namespace gsx
