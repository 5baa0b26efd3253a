#include "scan/seed_check.hpp"

#include <algorithm>

namespace gsx {
namespace {

/// How many places ahead text is fetched.
constexpr std::size_t places_ahead = 16;

GSX_HD void prefetch_place(const TextView& text, const StrandMasks& strand, std::uint64_t p) {
  const std::uint8_t* first = text.symbols.bytes + p / 4;
  __builtin_prefetch(first);
  // What lies behind is mostly not needed.
  __builtin_prefetch(first + (strand.length < 128 ? strand.length : 128) / 4);
}

/// Whether an earlier piece than that of the place has no mismatch there, either.
GSX_HD bool is_known(const TextView& text, const StrandMasks& strand, const SeedPiece* pieces,
                     std::uint64_t first, const SeedPlace& place) {
  const bool reverse = place.strand % 2 == 1;
  for (std::uint64_t k = first; k < place.piece; ++k) {
    const SeedPiece piece = pieces[k];
    const std::uint64_t begin = reverse ? strand.length - piece.end : piece.begin;
    const std::uint64_t end = reverse ? strand.length - piece.begin : piece.end;
    if (strand.is_exact(text.symbols, place.position, begin, end)) return true;
  }
  return false;
}

GSX_HD void check_places(const TextView& text, const SeedPatterns& patterns, std::uint32_t most,
                         std::span<SeedPlace> places) {
  const StrandMasks* strands = patterns.strands().data();
  const SeedPatterns::Entry* entries = patterns.entries().data();
  const SeedPiece* pieces = patterns.pieces().data();
  for (std::size_t i = 0; i < std::min(places_ahead, places.size()); ++i)
    prefetch_place(text, strands[places[i].strand], places[i].position);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + places_ahead < places.size()) {
      const SeedPlace& next = places[i + places_ahead];
      prefetch_place(text, strands[next.strand], next.position);
    }
    SeedPlace& place = places[i];
    const StrandMasks& strand = strands[place.strand];
    place.mismatches = strand.mismatches_at(text.symbols, place.position, most);
    if (place.mismatches > most) continue;
    const std::uint64_t first = entries[place.strand / 2].first_piece;
    if (text.segments.separator_from(place.position) < place.position + strand.length ||
        is_known(text, strand, pieces, first, place)) {
      place.mismatches = most + 1;
    }
  }
}

void check_baseline(const TextView& text, const SeedPatterns& patterns, std::uint32_t most,
                    std::span<SeedPlace> places) {
  check_places(text, patterns, most, places);
}
GSX_TARGET_AVX2 void check_avx2(const TextView& text, const SeedPatterns& patterns,
                                std::uint32_t most, std::span<SeedPlace> places) {
  check_places(text, patterns, most, places);
}

}  // namespace

SeedLoops seed_loops(CpuPath path) {
  if (path == CpuPath::avx2) return {check_avx2};
  return {check_baseline};
}

}  // namespace gsx
