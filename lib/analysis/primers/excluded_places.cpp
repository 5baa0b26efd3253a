#include "analysis/primers/excluded_places.hpp"

namespace gsx {
namespace {

/// Places of `length` symbols in so many.
std::uint64_t places_in(std::uint64_t symbols, std::uint64_t length) {
  return symbols < length ? 0 : symbols - length + 1;
}

}  // namespace

std::uint64_t count_excluded_places(const TextView& text, const RecordsView& records,
                                    std::uint64_t length) {
  std::uint64_t all = 0, searched = 0;
  for (const RecordInfo& info : records.infos)
    all += places_in(info.length, length);
  const SegmentsView& segments = text.segments;
  for (std::uint64_t s = 0; s < segments.count; ++s)
    searched += places_in(segments.starts[s + 1] - 1 - segments.starts[s], length);
  return all - searched;
}

}  // namespace gsx
