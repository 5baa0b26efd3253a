#include "run/palindromes.hpp"

#include "text/alphabet.hpp"

namespace gsx {

bool is_own_reverse_complement(std::span<const std::uint8_t> codes) {
  if (codes.empty() || codes.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < codes.size() / 2; ++i) {
    if (codes[i] == Alphabet::none) return false;
    if (codes[i] != complement(codes[codes.size() - 1 - i])) return false;
  }
  return true;
}

void count_palindromes_once(const Patterns& patterns, std::vector<StrandCounts>& counts) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (counts[i].reverse != 0 && is_own_reverse_complement(patterns[i])) counts[i].reverse = 0;
  }
}

void PalindromeFilter::pass_on(const HitChunk& chunk) {
  counts_.assign(chunk.counts.begin(), chunk.counts.end());
  ends_.clear();
  hits_.clear();
  HitChunk kept = chunk;
  kept.before = chunk.before > 0 ? passed_ : 0;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const bool once =
        counts_[i].reverse != 0 && is_own_reverse_complement(patterns_[chunk.first + i]);
    if (once) counts_[i].reverse = 0;
    for (; next < chunk.ends[i]; ++next) {
      if (!(once && chunk.hits[next].is_reverse())) hits_.push_back(chunk.hits[next]);
    }
    ends_.push_back(hits_.size());
  }
  if (ends_.empty()) return;
  const std::uint64_t last_begin = ends_.size() == 1 ? 0 : ends_[ends_.size() - 2];
  passed_ = (ends_.size() == 1 ? kept.before : 0) + hits_.size() - last_begin;
  kept.counts = counts_;
  kept.ends = ends_;
  kept.hits = hits_;
  if (chunk.before > 0 &&
      ends_.front() ==
          0) {  // nothing is left of the first pattern, which began in an earlier chunk
    ++kept.first;
    kept.before = 0;
    kept.counts = kept.counts.subspan(1);
    kept.ends = kept.ends.subspan(1);
  }
  if (kept.patterns() != 0) sink_(kept);
}

}  // namespace gsx
