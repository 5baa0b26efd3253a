// The inner loop of searching with seeds on the CPU: compares places with the packed text.
#pragma once

#include <cstdint>
#include <span>

#include "base/cpu_path.hpp"
#include "search/mismatches/seed_patterns.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// The loop, compiled for one CpuPath: sets mismatches[i] to SeedsView::mismatches_at() of place i.
/// Fetches the text ahead.
using CheckPlaces = void (*)(const TextView& text, const SeedsView& seeds, std::uint32_t most,
                             std::span<const SeedPlace> places, std::uint32_t* mismatches);

CheckPlaces check_places_for(CpuPath path);

}  // namespace gsx
