#include "kernels/base/host_pieces.hpp"

#include <algorithm>

#include "base/bits.hpp"
#include "kernels/base/tuning.hpp"

namespace gsx::cuda {

PiecePlan plan_pieces(const MemoryPool& pool, std::uint64_t units, const PieceUnit& unit,
                      std::uint64_t extra, int threads) {
  const std::uint64_t room = pool.available();
  // Lanes round up by an eighth, or to 4 KB.
  const auto taken = [&](std::uint64_t some) {
    const std::uint64_t bytes = some * unit.on_device + extra;
    return bytes + bytes / 8 + 4096;
  };
  const std::uint64_t on_bus = tuning::transfer_bytes - std::min(extra, tuning::transfer_bytes);
  std::uint64_t size = std::clamp<std::uint64_t>(on_bus / unit.on_host, 1, units);
  while (size > 1 && taken(size) > room)
    size = divide_up(size, 2);
  const std::uint64_t lanes = std::min({room / taken(size), divide_up(units, size),
                                        static_cast<std::uint64_t>(tuning::transfer_lanes),
                                        static_cast<std::uint64_t>(std::max(threads, 1))});
  return {size, static_cast<int>(std::max<std::uint64_t>(lanes, 1))};
}

}  // namespace gsx::cuda
