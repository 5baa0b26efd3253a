// Records back out of a text, symbol for symbol.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "text/text.hpp"

namespace gsx {

/// Appends symbols [begin, end) of a record to `out`: upper case for DNA and protein, ambiguous
/// runs and soft-masked bases included. Pre: begin <= end <= length of the record.
/// Cost: O(end - begin) and a binary search among the record's segments and gaps.
void extract(const TextView& text, const RecordsView& records, const Alphabet& alphabet,
             std::uint64_t record, std::uint64_t begin, std::uint64_t end, std::string& out);

/// Makes the bases lower case that soft-masking took out of the text: `symbols` are `count` of a
/// record, from `begin` on. Cost: a binary search among the record's gaps, and O(count).
void lower_masked_bases(const RecordsView& records, std::uint64_t record, std::uint64_t begin,
                        char* symbols, std::uint64_t count);

/// MD5 of a whole record as extract gives it.
Md5 md5_of_record(const TextView& text, const RecordsView& records, const Alphabet& alphabet,
                  std::uint64_t record);

/// Gives every record its MD5, which an index file needs. Changes nothing that text.view() refers
/// to, so that a suffix array may be built meanwhile. Cost: 1.6 ns a symbol, shared by threads; one
/// record is the work of one thread.
void checksum_records(Text& text, int threads);

/// The same beside `main`, as run_beside() does it.
void checksum_records_beside(Text& text, int threads, int aside, const std::function<void()>& main);

}  // namespace gsx
