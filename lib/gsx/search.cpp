#include "gsx/search.hpp"

#include "base/public_call.hpp"
#include "device/shards/whole_index.hpp"
#include "gsx/batch.hpp"
#include "run/patterns.hpp"
#include "search/exact/cpu_searcher.hpp"
#include "search/exact/strand_check.hpp"

namespace gsx {
namespace {

Occurrence place_of(const SegmentsView& segments, const RecordsView& records, Hit hit,
                    std::uint64_t length) {
  const std::uint64_t segment = segments.segment_at(hit.position());
  const std::uint64_t begin =
      records.segment_offsets[segment] + hit.position() - segments.starts[segment];
  return {records.segment_records[segment], begin, begin + length, hit.is_reverse(),
          hit.mismatches()};
}

/// One pattern on one thread: no back end, and no copy of the index.
CpuSearcher searcher_of(const Index& index) {
  return {index, {.index_copy = 0}, best_cpu_path()};
}

/// For one pattern in shards: a searcher of each.
BatchSearcher batch_searcher_of(const Index& index) {
  return BatchSearcher(index, {.device = "cpu", .threads = 1});
}

}  // namespace

Occurrence occurrence_of(const Index& index, Hit hit, std::uint64_t length) {
  return place_of(index.fm().segments, index.records(), hit, length);
}

Occurrence occurrence_of(const Text& text, Hit hit, std::uint64_t length) {
  return place_of(text.segments.view(), text.records_view(), hit, length);
}

StrandCounts count(const Index& index, std::string_view pattern, Strands strands) {
  require_strand(strands, index.alphabet());
  if (!index.parts().empty()) return batch_searcher_of(index).count({&pattern, 1}, strands)[0];
  return with_gsx_errors([&] {
    PatternBuffer buffer;
    buffer.encode({&pattern, 1}, index.alphabet());
    std::vector<StrandCounts> counts;
    searcher_of(index).count(buffer.patterns(), strands, counts);
    return counts[0];
  });
}

std::vector<Occurrence> locate(const Index& index, std::string_view pattern,
                               const LocateRequest& request) {
  require_strand(request.strands, index.alphabet());
  std::vector<Occurrence> found;
  const auto take = [&](const HitChunk& chunk) {
    for (const Hit hit : chunk.hits)
      found.push_back(occurrence_of(index, hit, pattern.size()));
  };
  if (!index.parts().empty()) {
    batch_searcher_of(index).locate({&pattern, 1}, request, take);
    return found;
  }
  return with_gsx_errors([&] {
    PatternBuffer buffer;
    buffer.encode({&pattern, 1}, index.alphabet());
    searcher_of(index).stream(buffer.patterns(), request, take);
    return std::move(found);
  });
}

Cursor::Cursor(const Index& index)
    : fm_(&index.fm()), alphabet_(&index.alphabet()), records_(&index.records()) {
  require_whole(index, "steps of backward search");
  rows_ = {0, fm_->rows()};
}

bool Cursor::extend_left(char symbol) {
  const std::uint8_t code = alphabet_->code(symbol);
  ++length_;
  if (code == Alphabet::none || rows_.count() == 0) {
    rows_ = {0, 0};
  } else {
    rows_ = fm_->extend(rows_, code);
  }
  return rows_.count() > 0;
}

Occurrence Cursor::occurrence(std::uint64_t i) const {
  return place_of(fm_->segments, *records_, Hit(fm_->locate(rows_.begin + i), false), length_);
}

}  // namespace gsx
