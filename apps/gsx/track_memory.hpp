// The memory that writing tracks takes.
#pragma once

#include <cstdint>
#include <span>

#include "track/write_track.hpp"

namespace gsx::app {

/// What writing a track of so many positions takes at least, beside its values.
std::uint64_t track_bytes(std::uint64_t positions, bool bigwig);

/// These options with as many threads, and pieces as large, as a process may take that holds what
/// it holds now: 13.6 MB per thread where each position is a run, and with bigWig what its writer
/// holds. At least one thread and small pieces.
TrackOptions within_memory(TrackOptions options, std::uint64_t limit,
                           std::span<const TrackRecord> records, bool bigwig);

}  // namespace gsx::app
