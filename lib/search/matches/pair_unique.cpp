#include "search/matches/pair_unique.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gsx {

void PairSteps::add(const MatchPair& pair, bool shared) {
  const std::uint64_t end = pair.query + pair.length;
  if (steps_.empty() || end > steps_.back().end()) {
    if (!steps_.empty() && steps_.back().pair.query == pair.query) steps_.pop_back();
    steps_.push_back({pair, shared});
  } else if (end == steps_.back().end() && pair.query == steps_.back().pair.query) {
    steps_.back().shared = true;
  }
}

void PairSteps::merge(std::span<const Step> others) {
  const std::vector<Step> own = std::exchange(steps_, {});
  auto mine = own.begin();
  auto other = others.begin();
  while (mine != own.end() || other != others.end()) {
    const bool takes_mine =
        other == others.end() || (mine != own.end() && mine->pair.query <= other->pair.query);
    const Step& next = takes_mine ? *mine++ : *other++;
    add(next.pair, next.shared);
  }
}

void keep_unique_in_query(std::vector<MatchPair>& pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const MatchPair& a, const MatchPair& b) {
    return a.target != b.target ? a.target < b.target : a.length > b.length;
  });
  std::uint64_t end = 0;  // of those before
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MatchPair pair = pairs[i];
    const bool contained = pair.target + pair.length <= end;
    const bool is_twice = i + 1 < pairs.size() && pairs[i + 1].target == pair.target &&
                          pairs[i + 1].length == pair.length;
    end = std::max(end, pair.target + pair.length);
    if (!contained && !is_twice) pairs[kept++] = pair;
  }
  pairs.resize(kept);
  std::sort(pairs.begin(), pairs.end(), [](const MatchPair& a, const MatchPair& b) {
    return std::tie(a.reverse, a.query) < std::tie(b.reverse, b.query);
  });
}

}  // namespace gsx
