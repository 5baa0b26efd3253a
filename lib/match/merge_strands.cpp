#include "match/merge_strands.hpp"

namespace gsx {

void merge_strands(std::span<const StrandMatch> forward, std::span<const StrandMatch> reverse,
                   std::uint64_t offset, std::uint64_t length, std::vector<MaximalMatch>& matches) {
  std::size_t f = 0, r = reverse.size();  // the next are forward[f] and reverse[r - 1]
  const auto next_forward = [&]() -> MaximalMatch {
    return {offset + forward[f].begin, forward[f].length, {forward[f].count, 0}};
  };
  const auto next_reverse = [&]() -> MaximalMatch {
    const StrandMatch& match = reverse[r - 1];
    return {offset + length - match.begin - match.length, match.length, {0, match.count}};
  };
  // Of two that neither contains, the one that begins first also ends first, so it lies in none of
  // those that follow; nor did it lie in one before.
  while (f < forward.size() && r > 0) {
    MaximalMatch a = next_forward();
    const MaximalMatch b = next_reverse();
    if (a.begin == b.begin && a.length == b.length) {
      a.counts.reverse = b.counts.reverse;
      matches.push_back(a);
      ++f;
      --r;
    } else if (a.contains(b)) {
      --r;
    } else if (b.contains(a)) {
      ++f;
    } else if (a.begin < b.begin) {
      matches.push_back(a);
      ++f;
    } else {
      matches.push_back(b);
      --r;
    }
  }
  for (; f < forward.size(); ++f)
    matches.push_back(next_forward());
  for (; r > 0; --r)
    matches.push_back(next_reverse());
}

}  // namespace gsx
