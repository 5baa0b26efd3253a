// The symbols of records, some at a time, for what is computed of all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/extract.hpp"

namespace gsx {

/// Symbols that are decoded at once: few, so that they are still in the L1 cache when they are
/// hashed.
inline constexpr std::uint64_t decoded_at_once = std::uint64_t{1} << 14;

/// What a task on records should have to do, in symbols, and what a record costs beside its
/// symbols.
inline constexpr std::uint64_t enough_for_a_task = std::uint64_t{1} << 18;
inline constexpr std::uint64_t cost_of_record = 200;

/// Calls take(begin, symbols) for all symbols [begin, end) of a record, in order.
template <class Take>
void decode_record(const TextView& text, const RecordsView& records, const Alphabet& alphabet,
                   std::uint64_t record, std::uint64_t begin, std::uint64_t end,
                   std::string& symbols, Take&& take) {
  for (; begin < end; begin += symbols.size()) {
    symbols.clear();
    extract(text, records, alphabet, record, begin, std::min(end, begin + decoded_at_once),
            symbols);
    take(begin, std::string_view(symbols));
  }
}

}  // namespace gsx
