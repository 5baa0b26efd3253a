#include "search/matches/match_chunks.hpp"

#include <algorithm>

namespace gsx {

void MatchChunks::close_until(std::size_t query) {
  while (closed_ < query) {
    ends_.push_back(matches_.size());
    ++closed_;
  }
}

void MatchChunks::give(std::span<const std::uint64_t> ends, std::span<const MaximalMatch> matches) {
  if (ends.empty()) return;
  flush(true);
  sink_({closed_, 0, true, ends, matches});
  closed_ += ends.size();
}

void MatchChunks::finish(std::size_t queries) {
  close_until(queries);
  flush(true);
}

/// If the batch is not `ended`, the first query that is not closed has matches to come.
void MatchChunks::flush(bool ended) {
  const bool part = !ended && matches_.size() > (ends_.empty() ? 0 : ends_.back());
  if (part) ends_.push_back(matches_.size());
  if (ends_.empty()) return;
  sink_({closed_ + (part ? 1 : 0) - ends_.size(), before_, !part, ends_, matches_});
  // Only the matches of a query that is in progress are spread over chunks.
  const std::uint64_t begin = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2];
  before_ = !part ? 0 : matches_.size() - begin + (ends_.size() < 2 ? before_ : 0);
  ends_.clear();
  matches_.clear();
}

void MatchProgress::pass_on(MatchChunk chunk) {
  if (chunk.first == query_ && chunk.before < matches_) {
    const std::uint64_t known = std::min(matches_ - chunk.before, chunk.ends[0]);
    const bool ends_query = chunk.queries() > 1 || chunk.whole;
    if (known == chunk.ends[0] && !ends_query) return;
    ends_.assign(chunk.ends.begin(), chunk.ends.end());
    for (std::uint64_t& end : ends_)
      end -= known;
    chunk.before += known;
    chunk.ends = ends_;
    chunk.matches = chunk.matches.subspan(known);
  }
  in_sink_ = true;
  sink_(chunk);
  in_sink_ = false;
  const std::size_t last = chunk.queries() - 1;
  query_ = chunk.first + last + (chunk.whole ? 1 : 0);
  matches_ = chunk.whole ? 0 : (last == 0 ? chunk.before : 0) + chunk.of(last).size();
}

}  // namespace gsx
