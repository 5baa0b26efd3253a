// Reports patterns that are their own reverse complement once instead of twice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/exact/searcher.hpp"

namespace gsx {

/// Whether the pattern is its own reverse complement. Pre: codes of DNA, or `none`.
bool is_own_reverse_complement(std::span<const std::uint8_t> codes);

/// Sets the reverse count of such patterns to 0: both strands match at the same places.
void count_palindromes_once(const Patterns& patterns, std::vector<StrandCounts>& counts);

}  // namespace gsx
