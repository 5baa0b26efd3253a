// Writes values of the positions of records, computed piece by piece on all threads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/progress.hpp"
#include "output/tracks/piece_runs.hpp"
#include "output/tracks/track_records.hpp"
#include "output/tracks/track_writer.hpp"

namespace gsx {

/// Adds the values of a range of positions to `runs`, by its functions add...(). Called by several
/// threads at once, each with its own `runs`, for every range once and in no order.
using TrackFill = std::function<void(const TrackRange& range, PieceRuns& runs)>;

struct TrackOptions {
  int threads = 1;
  TrackKind kind = TrackKind::real;
  /// Positions that a thread is asked for at a time, of one record or of several short ones. Pre:
  /// in [1, 2^32). Does not change what is written.
  std::uint64_t piece = std::uint64_t{1} << 16;
  ProgressReport progress = {};  ///< with the fraction of positions
};

/// Writes the values of all positions with each of the writers: the longest runs of positions that
/// have the same value, in order. The bytes depend on nothing but the values.
/// Memory: at most 4 pieces per thread, each of 12 bytes per run, and what they are encoded to: up
/// to 40 bytes per run as text. By default that is 14 MB per thread where each position is a run.
/// Throws what `fill` and the writers throw. `records` must outlive the call; so must the outputs
/// of the writers, which the caller completes.
void write_track(std::span<const TrackRecord> records, const TrackFill& fill,
                 std::span<TrackWriter* const> writers, const TrackOptions& options);

}  // namespace gsx
