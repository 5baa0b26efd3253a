// Searches that compare every place of a query with every place of the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/matches/matches.hpp"
#include "text/text_view.hpp"

namespace gsx::testing {

/// Answers by comparing a query with the text, place by place and symbol by symbol. It uses no
/// index, and fits any text and alphabet: what is fast is checked against it. Cost of each
/// function: the symbols of the text times those of the query, times the length of matches.
class PlainMatches {
 public:
  using Query = std::span<const std::uint8_t>;

  /// `complements`: whether the codes are those of DNA; otherwise only forward strands are
  /// searched.
  PlainMatches(const TextView& text, bool complements)
      : text_(text.length()), sigma_(text.sigma), complements_(complements) {
    for (std::uint64_t p = 0; p < text.length(); ++p)
      text_[p] = static_cast<std::uint16_t>(text.symbols[p]);
    for (std::uint64_t segment = 0; segment < text.segments.count; ++segment)
      text_[text.segments.starts[segment + 1] - 1] = separator;
  }

  /// The maximal matches of a query, in order.
  std::vector<MaximalMatch> maximal_matches(Query query, const MatchRequest& request) const {
    const std::vector<std::uint64_t> longest = lengths(query, request.strands);
    std::vector<MaximalMatch> matches;
    for (std::size_t i = 0; i < longest.size(); ++i) {
      if (longest[i] < request.min_length || longest[i] == 0) continue;
      if (i > 0 && longest[i - 1] > longest[i]) continue;  // the match at i - 1 contains it
      StrandCounts counts = count(query.subspan(i, longest[i]));
      if (!searches(request.strands, false)) counts.forward = 0;
      if (!searches(request.strands, true)) counts.reverse = 0;
      matches.push_back({i, longest[i], counts});
    }
    return matches;
  }

  /// Matching statistics: for each position of the query, the length of the longest match on the
  /// strands that begins there.
  std::vector<std::uint64_t> lengths(Query query, Strands strands) const {
    std::vector<std::uint64_t> lengths(query.size());
    if (searches(strands, false)) lengths = longest(text_, strand_of(query, false, sigma_));
    if (searches(strands, true)) {
      std::vector<std::uint64_t> others = turned(longest(text_, strand_of(query, true, sigma_)));
      std::reverse(others.begin(), others.end());
      for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = std::max(lengths[i], others[i]);
    }
    return lengths;
  }

  /// The same for the matches that end with the position.
  std::vector<std::uint64_t> lengths_ending(Query query, Strands strands) const {
    return turned(lengths(query, strands));
  }

  /// The pairs of a query, in order.
  std::vector<MatchPair> pairs(Query query, const PairRequest& request) const {
    std::vector<MatchPair> pairs;
    for (const bool reverse : {false, true}) {
      if (!searches(request.strands, reverse)) continue;
      const Codes strand = strand_of(query, reverse, sigma_);
      for (std::size_t i = 0; i < strand.size(); ++i) {
        for (std::size_t p = 0; p < text_.size(); ++p) {
          if (i > 0 && p > 0 && strand[i - 1] == text_[p - 1]) continue;
          const std::uint64_t length = match_length(text_, p, strand, i);
          if (length == 0 || length < request.min_length) continue;
          const MatchPair pair{p, reverse, reverse ? strand.size() - i - length : i, length};
          if (is_unique(pair, query, request.unique)) pairs.push_back(pair);
        }
      }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  /// Occurrences of a string of codes in the text.
  StrandCounts count(Query codes) const {
    StrandCounts counts{occurrences(text_, strand_of(codes, false, sigma_)), 0};
    if (complements_) counts.reverse = occurrences(text_, strand_of(codes, true, sigma_));
    return counts;
  }

 private:
  using Codes = std::vector<std::uint16_t>;
  using CodeSpan = std::span<const std::uint16_t>;

  /// What stands for a separator, and for a symbol of a query that matches nothing.
  static constexpr std::uint16_t separator = 0x100, foreign = 0x101;

  /// The query on a strand.
  static Codes strand_of(Query query, bool reverse, std::uint32_t sigma) {
    Codes codes(query.begin(), query.end());
    for (std::uint16_t& code : codes)
      code = code >= sigma ? foreign : reverse ? static_cast<std::uint16_t>(3 - code) : code;
    if (reverse) std::reverse(codes.begin(), codes.end());
    return codes;
  }

  /// How long a match begins at a[i] and b[j].
  static std::uint64_t match_length(CodeSpan a, std::size_t i, CodeSpan b, std::size_t j) {
    std::uint64_t length = 0;
    while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length])
      ++length;
    return length;
  }

  static std::uint64_t occurrences(CodeSpan text, CodeSpan codes) {
    std::uint64_t count = 0;
    for (std::size_t p = 0; p + codes.size() <= text.size() && !codes.empty(); ++p)
      count += match_length(text, p, codes, 0) == codes.size() ? 1 : 0;
    return count;
  }

  /// For each position of a strand of the query, the longest match that begins there.
  static std::vector<std::uint64_t> longest(CodeSpan text, CodeSpan strand) {
    std::vector<std::uint64_t> lengths(strand.size());
    for (std::size_t i = 0; i < strand.size(); ++i) {
      for (std::size_t p = 0; p < text.size(); ++p)
        lengths[i] = std::max(lengths[i], match_length(text, p, strand, i));
    }
    return lengths;
  }

  /// For each position, the longest match that ends with it, given those that begin at each.
  static std::vector<std::uint64_t> turned(const std::vector<std::uint64_t>& lengths) {
    std::vector<std::uint64_t> ending(lengths.size());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      for (std::uint64_t length = 1; length <= lengths[i]; ++length) {
        std::uint64_t& longest_here = ending[i + length - 1];
        longest_here = std::max(longest_here, length);
      }
    }
    return ending;
  }

  bool searches(Strands strands, bool reverse) const {
    return reverse ? complements_ && strands != Strands::forward : strands != Strands::reverse;
  }

  bool is_unique(const MatchPair& pair, Query query, PairUniqueness unique) const {
    if (unique == PairUniqueness::none) return true;
    const Query codes = query.subspan(pair.query, pair.length);
    const StrandCounts in_text = count(codes);
    const std::uint64_t on_strand = pair.reverse ? in_text.reverse : in_text.forward;
    const Codes forward = strand_of(query, false, sigma_);
    const std::uint64_t in_query = occurrences(forward, strand_of(codes, false, sigma_));
    if (unique == PairUniqueness::target) return on_strand == 1;
    if (unique == PairUniqueness::both) return on_strand == 1 && in_query == 1;
    const std::uint64_t in_complement =
        complements_ ? occurrences(forward, strand_of(codes, true, sigma_)) : 0;
    return in_text.total() == 1 && in_query + in_complement == 1;
  }

  Codes text_;  ///< codes, and what stands for separators
  std::uint32_t sigma_;
  bool complements_;
};

/// Answers one query at a time, on one thread.
class PlainMatchSearcher final : public MatchSearcher {
 public:
  PlainMatchSearcher(const TextView& text, bool complements) : matches_(text, complements) {}

  void stream(const Patterns& queries, const MatchRequest& request,
              const MatchSink& sink) const override {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::vector<MaximalMatch> matches = matches_.maximal_matches(queries[i], request);
      const std::uint64_t end = matches.size();
      sink({i, 0, true, {&end, 1}, matches});
    }
  }

 private:
  PlainMatches matches_;
};

}  // namespace gsx::testing
