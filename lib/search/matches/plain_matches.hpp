// Maximal matches by comparing every place of a query with every place of the text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/matches/matches.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// Answers by comparing a query with the text, place by place and symbol by symbol. It uses no
/// index, and fits any text and alphabet: what is fast is checked against it. Cost of each
/// function: the symbols of the text times those of the query, times the length of matches.
class PlainMatches {
 public:
  /// `complements`: whether the codes are those of DNA; otherwise only forward strands are
  /// searched.
  PlainMatches(const TextView& text, bool complements);

  /// The maximal matches of a query, in order.
  std::vector<MaximalMatch> maximal_matches(std::span<const std::uint8_t> query,
                                            const MatchRequest& request) const;
  /// Matching statistics: for each position of the query, the length of the longest match on the
  /// strands that begins there.
  std::vector<std::uint64_t> lengths(std::span<const std::uint8_t> query, Strands strands) const;
  /// The same for the matches that end with the position.
  std::vector<std::uint64_t> lengths_ending(std::span<const std::uint8_t> query,
                                            Strands strands) const;
  /// The pairs of a query, in order.
  std::vector<MatchPair> pairs(std::span<const std::uint8_t> query,
                               const PairRequest& request) const;
  /// Occurrences of a string of codes in the text.
  StrandCounts count(std::span<const std::uint8_t> codes) const;

 private:
  bool searches(Strands strands, bool reverse) const;
  bool is_unique(const MatchPair& pair, std::span<const std::uint8_t> query,
                 PairUniqueness unique) const;

  std::vector<std::uint16_t> text_;  ///< codes, and what stands for separators
  std::uint32_t sigma_;
  bool complements_;
};

/// Answers one query at a time, on one thread.
class PlainMatchSearcher final : public MatchSearcher {
 public:
  PlainMatchSearcher(const TextView& text, bool complements) : matches_(text, complements) {}
  void stream(const Patterns& queries, const MatchRequest& request,
              const MatchSink& sink) const override;

 private:
  PlainMatches matches_;
};

}  // namespace gsx
