// The memory that writing tracks takes.
#pragma once

#include <cstdint>
#include <span>

#include "output/tracks/write_track.hpp"

namespace gsx::app {

/// What writing a track of so many positions takes at least, beside its values.
std::uint64_t track_bytes(std::uint64_t positions, bool bigwig);

/// These options with so few threads, and such small pieces, that a process which holds what it
/// holds now stays below the limit: a thread takes up to 14 MB, and the writer of bigWig takes what
/// it holds. At least one thread, and pieces of 4096 positions. Gives freed memory back first.
TrackOptions within_memory(TrackOptions options, std::uint64_t limit,
                           std::span<const TrackRecord> records, bool bigwig);

}  // namespace gsx::app
