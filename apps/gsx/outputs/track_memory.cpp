#include "outputs/track_memory.hpp"

#include <malloc.h>

#include <algorithm>

#include "base/resources.hpp"
#include "output/tracks/range_index.hpp"
#include "output/tracks/section_cutter.hpp"
#include "output/tracks/zoom_records.hpp"

namespace gsx::app {
namespace {

/// Of runs, in 4 pieces per thread, and of what they are encoded to.
constexpr std::uint64_t bytes_per_run = 12 + 40;
constexpr std::uint64_t pieces_per_thread = 4;
constexpr std::uint64_t least_piece = 4096;

/// What the writer of bigWig holds: sections, and bins of two levels.
std::uint64_t bigwig_bytes(std::uint64_t positions) {
  constexpr std::uint64_t most_of_level = ZoomSpool::most_held * sizeof(ZoomRecord);
  const std::uint64_t bins = ((positions >> least_zoom_shift) + 1) * sizeof(ZoomRecord);
  return positions / section_runs * sizeof(IndexedBlock) + 2 * std::min(most_of_level, bins);
}

std::uint64_t thread_bytes(std::uint64_t piece) {
  return pieces_per_thread * piece * bytes_per_run;
}

}  // namespace

std::uint64_t track_bytes(std::uint64_t positions, bool bigwig) {
  return std::min(thread_bytes(TrackOptions().piece), positions * bytes_per_run) +
         (bigwig ? bigwig_bytes(positions) : 0);
}

TrackOptions within_memory(TrackOptions options, std::uint64_t limit,
                           std::span<const TrackRecord> records, bool bigwig) {
  malloc_trim(0);  // what the search for the values has freed
  std::uint64_t positions = 0;
  for (const TrackRecord& record : records)
    positions += record.length;
  const std::uint64_t held = resident_bytes() + (bigwig ? bigwig_bytes(positions) : 0);
  const std::uint64_t room = limit - std::min(limit, held);
  options.threads = static_cast<int>(std::clamp<std::uint64_t>(
      room / thread_bytes(options.piece), 1, static_cast<std::uint64_t>(options.threads)));
  options.piece = std::clamp(room / thread_bytes(1), least_piece, options.piece);
  return options;
}

}  // namespace gsx::app
