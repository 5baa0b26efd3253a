#include "search/mismatches/seed_check.hpp"

#include <algorithm>
#include <cstddef>

#include "base/compiled_for.hpp"

namespace gsx {
namespace {

/// How many places ahead text is fetched, and how many symbols of each: what lies behind is mostly
/// not needed.
constexpr std::size_t places_ahead = 16;
constexpr std::uint64_t symbols_ahead = 128;

GSX_HD void prefetch_place(const TextView& text, const SeedsView& seeds, const SeedPlace& place) {
  const std::uint64_t length = seeds.entries[seeds.pieces[place.piece].pattern].length;
  const std::uint8_t* first = text.symbols.bytes + place.position / 4;
  __builtin_prefetch(first);
  __builtin_prefetch(first + (length < symbols_ahead ? length : symbols_ahead) / 4);
}

GSX_HD void check_places(const TextView& text, const SeedsView& seeds, std::uint32_t most,
                         std::span<const SeedPlace> places, std::uint32_t* mismatches) {
  for (std::size_t i = 0; i < std::min(places_ahead, places.size()); ++i)
    prefetch_place(text, seeds, places[i]);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i + places_ahead < places.size()) prefetch_place(text, seeds, places[i + places_ahead]);
    mismatches[i] = seeds.mismatches_at(text, places[i], most);
  }
}

}  // namespace

CheckPlaces check_places_for(CpuPath path) {
  return compiled_for<check_places>(path);
}

}  // namespace gsx
