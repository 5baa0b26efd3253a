#include "gsx/search.hpp"

#include "gsx/batch.hpp"

namespace gsx {

Occurrence occurrence_of(const Index& index, Hit hit, std::uint64_t length) {
  const SegmentsView segments = index.text().segments;
  const RecordsView& records = index.records();
  const std::uint64_t segment = segments.segment_at(hit.position());
  const std::uint64_t begin =
      records.segment_offsets[segment] + hit.position() - segments.starts[segment];
  return {records.segment_records[segment], begin, begin + length, hit.is_reverse()};
}

StrandCounts count(const Index& index, std::string_view pattern, Strands strands) {
  return BatchSearcher(index, {.device = "cpu", .threads = 1}).count({&pattern, 1}, strands)[0];
}

std::vector<Occurrence> locate(const Index& index, std::string_view pattern,
                               const LocateRequest& request) {
  std::vector<Occurrence> found;
  const BatchSearcher searcher(index, {.device = "cpu", .threads = 1});
  searcher.locate({&pattern, 1}, request, [&](const HitChunk& chunk) {
    for (const Hit hit : chunk.hits)
      found.push_back(occurrence_of(index, hit, pattern.size()));
  });
  return found;
}

bool Cursor::extend_left(char symbol) {
  const std::uint8_t code = index_->alphabet().code(symbol);
  ++length_;
  if (code == Alphabet::none || rows_.count() == 0) {
    rows_ = {0, 0};
  } else {
    rows_ = index_->fm().extend(rows_, code);
  }
  return rows_.count() > 0;
}

Occurrence Cursor::occurrence(std::uint64_t i) const {
  return occurrence_of(*index_, Hit(index_->fm().locate(rows_.begin + i), false), length_);
}

}  // namespace gsx
