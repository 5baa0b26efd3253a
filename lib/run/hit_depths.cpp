#include "run/hit_depths.hpp"

#include <algorithm>

#include "output/lines/target_finder.hpp"
#include "search/exact/index_fault.hpp"

namespace gsx {
namespace {

/// Hits whose counters are fetched from memory while others are counted: an atomic addition waits
/// for what it changes.
constexpr std::uint64_t ahead = 16;

}  // namespace

/// Calls add(hit, length) for each hit of a query of that length.
template <class Add>
void HitDepths::for_each_hit(const RecordBatch& queries, const HitChunk& chunk,
                             const Add& add) const {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::uint64_t length = queries.length(chunk.first + i);
    for (; next < chunk.ends[i]; ++next) {
      if (!circular_ && next + ahead < chunk.hits.size()) {
        // The length of a later query may differ; what is fetched is in the text all the same.
        const std::uint64_t begin = chunk.hits[next + ahead].position();
        counters_.prefetch(begin, std::min(begin + length, text_.segments.length()));
      }
      add(chunk.hits[next], length);
    }
  }
}

void HitDepths::add(const RecordBatch& queries, const HitChunk& chunk) {
  // The samples of a forged index may say that a hit is anywhere.
  const std::uint64_t symbols = text_.segments.length();
  const auto add_place = [&](std::uint64_t begin, std::uint64_t length) {
    if (begin > symbols || length > symbols - begin) throw_index_fault();
    counters_.add(begin, begin + length);
  };
  if (!circular_) {
    for_each_hit(queries, chunk,
                 [&](const Hit& hit, std::uint64_t length) { add_place(hit.position(), length); });
    return;
  }
  TargetFinder finder(text_.records, text_.segments);
  for_each_hit(queries, chunk, [&](const Hit& hit, std::uint64_t length) {
    finder.start_of(hit.position());
    const PlaceParts parts = finder.parts(hit.position(), length);
    add_place(parts.begin, parts.size);
    if (parts.rest > 0) add_place(parts.rest_begin, parts.rest);
  });
}

void HitDepths::fill(const TrackRange& range, PieceRuns& runs) const {
  text_.for_each(range, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t offset) {
    // A part that does not begin where the range does begins a segment, behind a separator.
    const bool is_border = offset > range.begin || offset == 0;
    counters_.add_runs(begin, end, offset, is_border, runs);
  });
}

}  // namespace gsx
