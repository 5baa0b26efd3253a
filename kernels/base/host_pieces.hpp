// Arrays of the host that pass through the device piece by piece.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "kernels/base/current_device.hpp"
#include "kernels/base/lane_threads.hpp"
#include "kernels/base/search_lane.hpp"

namespace gsx::cuda {

/// What a unit of such work takes, in bytes. Pieces are whole units.
struct PieceUnit {
  std::uint64_t on_device;
  std::uint64_t on_host;  ///< most of what crosses the bus at a time
};

/// How work is cut.
struct PiecePlan {
  std::uint64_t units;  ///< of a piece
  int lanes;            ///< pieces under way at a time
};

/// Pieces as large as pinned memory of a lane is, and smaller where the pool has little memory.
/// `extra` bytes of a lane on the device are there for each piece. Throws DeviceError.
PiecePlan plan_pieces(const MemoryPool& pool, std::uint64_t units, const PieceUnit& unit,
                      std::uint64_t extra, int threads);

/// Calls work(lane, begin, count) for pieces of [0, units), on threads with a lane each, so that
/// copies of some overlap with the work on others. The lane has memory for `count` units, and
/// `extra` bytes on the device and the host. Rethrows the first exception. Pre: the lanes are of
/// `pool`, whose GPU is current. Throws ResourceError if there is no memory for one unit,
/// DeviceError.
template <class Work>
void for_host_pieces(MemoryPool& pool, SearchLanes& lanes, std::uint64_t units,
                     const PieceUnit& unit, std::uint64_t extra, int threads, const Work& work) {
  if (units == 0) return;
  lanes.release_idle();
  const PiecePlan plan = plan_pieces(pool, units, unit, extra, threads);
  LaneThreads workers(plan.lanes);
  std::atomic<std::uint64_t> taken{0};
  workers.run(plan.lanes, [&](int) {
    const CurrentDevice current(pool.device());
    const SearchLanes::Guard lane = lanes.take();
    (*lane).begin(plan.units * unit.on_device + extra, plan.units * unit.on_host + extra);
    for (;;) {
      const std::uint64_t begin = plan.units * taken++;
      if (begin >= units) return;
      work(*lane, begin, std::min(plan.units, units - begin));
    }
  });
}

}  // namespace gsx::cuda
