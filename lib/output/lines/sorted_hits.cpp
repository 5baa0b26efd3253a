#include "output/lines/sorted_hits.hpp"

#include <string_view>
#include <utility>

namespace gsx {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} << 10;

/// A batch has fewer queries than 2^query_bits. Batches count from 1, so that what has no query
/// comes before the hits at its position.
constexpr unsigned query_bits = 32;

}  // namespace

SortedHits::SortedHits(LineSorter::Collector& collector, const std::optional<TargetFinder>& parts)
    : collector_(collector),
      parts_(parts),
      lines_(piece_bytes, [this](std::string& text) { take(text); }) {}

void SortedHits::begin(const RecordBatch& queries, const HitChunk& chunk) {
  queries_ = &queries;
  chunk_ = chunk;
  next_ = 0;
  pattern_ = 0;
}

/// The position of the next line; hit_ and pattern_ are then those of its hit.
std::uint64_t SortedHits::next_position() {
  if (rest_) return *std::exchange(rest_, std::nullopt);
  while (next_ >= chunk_.ends[pattern_])
    ++pattern_;
  hit_ = chunk_.hits[next_++];
  if (parts_) {
    parts_->start_of(hit_.position());
    const PlaceParts parts =
        parts_->parts(hit_.position(), queries_->length(chunk_.first + pattern_));
    if (parts.rest != 0) rest_ = parts.rest_begin;
  }
  return hit_.position();
}

/// Names contain no line ends, so each line is one hit, or a part of one.
void SortedHits::take(std::string& text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    const std::uint64_t position = next_position();
    collector_.add({position << 1 | (hit_.is_reverse() ? 1 : 0),
                    (queries_->number + 1) << query_bits | (chunk_.first + pattern_)},
                   line);
  }
  text.clear();
}

}  // namespace gsx
