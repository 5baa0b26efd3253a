// The common prefixes of suffixes in neighbouring rows of a suffix array.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/parallel.hpp"
#include "index/lcp/common_prefix.hpp"

namespace gsx {

/// Calls work(begin, end) for slices of [begin, end) that are long enough for a thread to begin
/// anew.
template <class Work>
void for_each_row_slice(std::uint64_t begin, std::uint64_t end, int threads, const Work& work) {
  constexpr std::uint64_t rows = std::uint64_t{1} << 16;
  if (begin >= end) return;
  parallel_for(threads, (end - begin + rows - 1) / rows, [&](std::uint64_t s, int) {
    const std::uint64_t first = begin + s * rows;
    work(first, std::min(end, first + rows));
  });
}

/// Rows whose text is asked for before it is compared.
inline constexpr std::uint64_t row_prefixes_ahead = 24;

/// Calls on_row(i, lcp) for the rows i of [begin, end), in order, where `lcp` is the length of the
/// longest common prefix of the suffixes in rows i - 1 and i, or `cap` if that is less. `rows` are
/// consecutive rows of a suffix array. Pre: begin > 0.
/// Cost: one random line of the text per row, 5 ns from memory; for each `cap`, at most cap / 29
/// loads per row of DNA.
template <class Pos, class OnRow>
void for_each_row_prefix(const TextView& text, const Pos* rows, std::uint64_t begin,
                         std::uint64_t end, std::uint64_t cap, const OnRow& on_row) {
  const PackedView symbols = text.symbols;
  BoundedSuffix previous(text, rows[begin - 1]);
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t ahead = std::min(i + row_prefixes_ahead, end - 1);
    __builtin_prefetch(symbols.bytes + (std::uint64_t{rows[ahead]} * symbols.bits >> 3));
    const BoundedSuffix here(text, rows[i]);
    on_row(i, here.common_prefix(symbols, previous, 0, cap));
    previous = here;
  }
}

}  // namespace gsx
