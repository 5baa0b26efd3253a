#include "output/lines/record_counts.hpp"

#include "output/lines/text_format.hpp"

namespace gsx {

void RecordCounts::add(const HitChunk& chunk) {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::size_t query = chunk.first + i;
    for (; next < chunk.ends[i]; ++next) {
      const Hit hit = chunk.hits[next];
      if (query != query_ || hit.position() >= target_end_) begin(query, hit.position());
      ++(hit.is_reverse() ? counts_.reverse : counts_.forward);
    }
  }
}

void RecordCounts::begin(std::size_t query, std::uint64_t position) {
  finish();
  query_ = query;
  target_ = targets_.segment_records[segments_.segment_at(position)];
  target_end_ = target_ + 1 == targets_.size()
                    ? segments_.length()
                    : segments_.starts[targets_.infos[target_ + 1].first_segment];
}

void RecordCounts::finish() {
  if (counts_.total() == 0) return;
  std::string& text = out_.text();
  append_name(text, queries_.name(query_));
  text += '\t';
  append_name(text, targets_.name(target_));
  for (const std::uint64_t count : {counts_.total(), counts_.forward, counts_.reverse}) {
    text += '\t';
    append_number(text, count);
  }
  text += '\n';
  counts_ = {};
  out_.check();
}

}  // namespace gsx
