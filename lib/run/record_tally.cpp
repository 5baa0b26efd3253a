#include "run/record_tally.hpp"

#include <algorithm>

#include "output/lines/text_format.hpp"

namespace gsx {

void BestRecordFinder::find(const Patterns& queries, const std::vector<std::uint8_t>& matched,
                            const MatchRequest& request, std::vector<BestRecord>& found) {
  found.clear();
  queries_.clear();
  longest_.clear();
  owners_.clear();
  best_.clear();
  for (std::size_t i = 0; i < queries.size(); ++i)
    if (matched[i] != 0) queries_.add(queries[i], {0, queries[i].size(), {}});
  if (queries_.size() == 0) return;
  matches_.stream(queries_.patterns(), request, [this](const MatchChunk& chunk) {
    for (std::size_t i = 0; i < chunk.queries(); ++i) {
      for (const MaximalMatch& match : chunk.of(i)) {
        if (!best_.empty() && match.length < best_[0].length) continue;
        if (!best_.empty() && match.length > best_[0].length) best_.clear();
        best_.push_back(match);
      }
      if (i + 1 < chunk.queries() || chunk.whole) add_longest(chunk.first + i);
    }
  });
  locate(request.strands, found);
}

void BestRecordFinder::add_longest(std::size_t query) {
  for (const MaximalMatch& match : best_) {
    longest_.add(queries_.patterns()[query], match);
    owners_.push_back(query);
  }
  best_.clear();
}

void BestRecordFinder::locate(Strands strands, std::vector<BestRecord>& found) {
  holders_.clear();
  const auto end_query = [&] {
    std::sort(holders_.begin(), holders_.end());
    holders_.erase(std::unique(holders_.begin(), holders_.end()), holders_.end());
    for (const std::uint64_t record : holders_)
      found.push_back({record, holders_.size() == 1});
    holders_.clear();
  };
  if (owners_.empty()) return;
  std::size_t query = owners_.front();
  places_.stream(longest_.patterns(), {strands, unlimited}, [&](const HitChunk& chunk) {
    for (std::size_t i = 0; i < chunk.patterns(); ++i) {
      const std::size_t owner = owners_[chunk.first + i];
      if (owner != query) end_query();
      query = owner;
      const std::uint64_t begin = i == 0 ? 0 : chunk.ends[i - 1];
      for (const Hit& hit : chunk.hits.subspan(begin, chunk.ends[i] - begin)) {
        target_.start_of(hit.position());
        if (holders_.empty() || holders_.back() != target_.target())
          holders_.push_back(target_.target());
      }
    }
  });
  end_query();
}

void RecordTally::add(const std::vector<BestRecord>& found) {
  for (const BestRecord& best : found)
    ++(best.alone ? alone_ : shared_)[best.record];
}

std::string RecordTally::table() const {
  std::string text = "target_id\tlength\treads\treads_shared\n";
  for (std::uint64_t record = 0; record < targets_.size(); ++record) {
    append_name(text, targets_.name(record));
    for (const std::uint64_t value :
         {targets_.infos[record].length, alone_[record], shared_[record]})
      append_number(text += '\t', value);
    text += '\n';
  }
  return text;
}

}  // namespace gsx
