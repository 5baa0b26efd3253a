#include "output/lines/place_counts.hpp"

namespace gsx {

void PlaceCounts::add(const HitChunk& chunk) {
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < chunk.patterns(); ++i) {
    const std::size_t query = chunk.first + i;
    for (; next < chunk.ends[i]; ++next) {
      const Hit hit = chunk.hits[next];
      if (query != query_ || hit.position() >= place_end_) begin(query, hit.position());
      ++(hit.is_reverse() ? counts_.reverse : counts_.forward);
    }
  }
}

/// Where the text of a record or file ends.
std::uint64_t PlaceCounts::end_of(std::uint64_t place) const {
  const std::uint64_t next =
      by_ == CountPlace::file ? targets_.files.record_ends[place] : place + 1;
  return next == targets_.size() ? segments_.length()
                                 : segments_.starts[targets_.infos[next].first_segment];
}

/// Begins to count where a position is. In similar genomes, it mostly is the file behind the last
/// one.
void PlaceCounts::begin(std::size_t query, std::uint64_t position) {
  finish();
  const bool by_file = by_ == CountPlace::file;
  const bool in_next = by_file && query == query_ && place_end_ != 0 &&
                       place_ + 1 < targets_.files.size() && position < end_of(place_ + 1);
  query_ = query;
  if (in_next) {
    ++place_;
  } else {
    place_ = targets_.segment_records[segments_.segment_at(position)];
    if (by_file) place_ = targets_.files.file_of(place_);
  }
  place_end_ = end_of(place_);
}

void PlaceCounts::finish() {
  if (counts_.total() == 0) return;
  take_(query_, place_, counts_);
  counts_ = {};
}

}  // namespace gsx
