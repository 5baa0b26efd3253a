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

/// Passes the chunks of a batch on, without the reverse hits of such patterns.
class PalindromeFilter {
 public:
  PalindromeFilter(const Patterns& patterns, const HitSink& sink)
      : patterns_(patterns), sink_(sink) {}
  void pass_on(const HitChunk& chunk);

 private:
  const Patterns& patterns_;
  const HitSink& sink_;
  std::uint64_t passed_ = 0;  ///< hits of the last pattern passed on so far
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
};

}  // namespace gsx
