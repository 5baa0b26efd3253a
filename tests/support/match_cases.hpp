// Queries and matches, for tests of maximal matches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/matches/matches.hpp"
#include "support/seeds.hpp"
#include "support/texts.hpp"
#include "text/alphabet.hpp"
#include "text/complement.hpp"

namespace gsx::testing {

inline std::vector<std::uint8_t> codes_of(std::string_view letters,
                                          const Alphabet& alphabet = Alphabet::dna()) {
  std::vector<std::uint8_t> codes;
  for (const char letter : letters)
    codes.push_back(alphabet.code(letter));
  return codes;
}

/// Queries as codes, which it owns.
class QueryCodes {
 public:
  explicit QueryCodes(const std::vector<std::string>& queries,
                      const Alphabet& alphabet = Alphabet::dna()) {
    for (const std::string& query : queries) {
      for (const char letter : query)
        codes_.push_back(alphabet.code(letter));
      ends_.push_back(codes_.size());
    }
  }
  Patterns patterns() const { return {codes_, ends_}; }

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint64_t> ends_;
};

/// The matches of each query. Chunks must follow one another as MatchChunk says.
class CollectedMatches {
 public:
  void take(const MatchChunk& chunk) {
    gaps_ += chunk.first != (whole_ ? queries_.size() : queries_.size() - 1);
    gaps_ += chunk.before != (whole_ ? 0 : queries_.back().size());
    for (std::size_t i = 0; i < chunk.queries(); ++i) {
      if (i > 0 || whole_) queries_.emplace_back();
      const auto matches = chunk.of(i);
      queries_.back().insert(queries_.back().end(), matches.begin(), matches.end());
      const bool last = i + 1 == chunk.queries();
      gaps_ += last && !chunk.whole && matches.empty();
    }
    whole_ = chunk.whole;
  }
  const std::vector<std::vector<MaximalMatch>>& queries() const { return queries_; }
  /// Chunks that did not follow, or were empty; the last one must have been whole.
  int gaps() const { return gaps_ + (whole_ ? 0 : 1); }

 private:
  std::vector<std::vector<MaximalMatch>> queries_;
  bool whole_ = true;
  int gaps_ = 0;
};

/// A query of parts of the records, on both strands, with symbols changed.
inline std::string match_query(Random& random, const std::vector<std::string>& records,
                               std::string_view symbols, bool complements) {
  std::string query;
  for (std::uint64_t parts = below(random, 5); parts > 0; --parts) {
    const std::string& record = records[below(random, records.size())];
    const std::uint64_t begin = below(random, record.size() + 1);
    std::string part = record.substr(begin, below(random, 80));
    if (complements && below(random, 2) == 0) reverse_complement(part);
    query += part;
    if (below(random, 3) == 0) query += symbols[below(random, symbols.size())];
  }
  for (char& symbol : query) {
    if (below(random, 60) == 0) symbol = symbols[below(random, symbols.size())];
  }
  return query;
}

inline CollectedMatches matches_of(const MatchSearcher& searcher, const Patterns& queries,
                                   const MatchRequest& request) {
  CollectedMatches collected;
  searcher.stream(queries, request, [&](const MatchChunk& chunk) { collected.take(chunk); });
  return collected;
}

}  // namespace gsx::testing
