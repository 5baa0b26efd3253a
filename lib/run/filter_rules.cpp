#include "run/filter_rules.hpp"

#include <algorithm>

#include "run/odd_symbols.hpp"

namespace gsx {
namespace {

/// Adds up how much of the query in progress lies in matches.
class CoverCheck {
 public:
  void add(const MaximalMatch& match) {
    covered_ += match.end() - std::max(match.begin, to_);
    to_ = match.end();
  }
  /// Whether the query, of so many symbols, is covered enough. Begins another one.
  bool end(std::uint64_t length, double least) {
    // A quotient is rounded as the number is that a user writes, so that 55 of 100 are 0.55.
    const bool enough =
        to_ != 0 && static_cast<double>(covered_) / static_cast<double>(length) >= least;
    covered_ = to_ = 0;
    return enough;
  }

 private:
  std::uint64_t covered_ = 0;
  std::uint64_t to_ = 0;
};

}  // namespace

void find_matching(const MatchSearcher& searcher, const Patterns& queries, const FilterRules& rules,
                   std::vector<std::uint8_t>& matched) {
  if (rules.min_cover == 0) return searcher.count(queries, rules.request, matched);
  matched.assign(queries.size(), 0);
  CoverCheck cover;
  searcher.stream(queries, rules.request, [&](const MatchChunk& chunk) {
    for (std::size_t i = 0; i < chunk.queries(); ++i) {
      for (const MaximalMatch& match : chunk.of(i))
        cover.add(match);
      if (i + 1 == chunk.queries() && !chunk.whole) continue;
      const std::size_t query = chunk.first + i;
      if (cover.end(queries[query].size(), rules.min_cover)) matched[query] = 1;
    }
  });
}

std::uint64_t count_unmatchable(const Patterns& queries, std::uint64_t min_length,
                                const std::vector<std::uint8_t>& matched) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < queries.size(); ++i)
    count += matched[i] == 0 && !has_stretch(queries[i], min_length) ? 1 : 0;
  return count;
}

std::uint64_t count_shorter(const Patterns& queries, std::uint64_t min_length) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < queries.size(); ++i)
    count += queries[i].size() < min_length ? 1 : 0;
  return count;
}

}  // namespace gsx
