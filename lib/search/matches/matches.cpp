#include "search/matches/matches.hpp"

namespace gsx {

void MatchSearcher::count(const Patterns& queries, const MatchRequest& request,
                          std::vector<std::uint8_t>& matched) const {
  matched.assign(queries.size(), 0);
  stream(queries, request, [&](const MatchChunk& chunk) {
    for (std::size_t i = 0; i < chunk.queries(); ++i) {
      if (!chunk.of(i).empty()) matched[chunk.first + i] = 1;
    }
  });
}

}  // namespace gsx
