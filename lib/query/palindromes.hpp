// Patterns that are their own reverse complement, given once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/searcher.hpp"

namespace gsx {

/// Whether the pattern is its own reverse complement. Pre: codes of DNA, or `none`.
bool is_own_reverse_complement(std::span<const std::uint8_t> codes);

/// Takes from the counts of such patterns those of the reverse strand, which are at the same
/// places.
void count_palindromes_once(const Patterns& patterns, std::vector<StrandCounts>& counts);

/// Passes the chunks of a batch on without the hits of such patterns on the reverse strand.
class PalindromeFilter {
 public:
  PalindromeFilter(const Patterns& patterns, const HitSink& sink)
      : patterns_(patterns), sink_(sink) {}
  void pass_on(const HitChunk& chunk);

 private:
  const Patterns& patterns_;
  const HitSink& sink_;
  std::uint64_t passed_ = 0;  ///< hits of the last pattern so far
  std::vector<StrandCounts> counts_;
  std::vector<std::uint64_t> ends_;
  std::vector<Hit> hits_;
};

}  // namespace gsx
