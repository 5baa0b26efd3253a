// Pairs of matches on the GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/base/memory_pool.hpp"
#include "kernels/base/transfer.hpp"
#include "kernels/base/tuning.hpp"
#include "search/matches/pair_sampling.hpp"
#include "search/matches/pair_searcher.hpp"

namespace gsx::cuda {

/// How a searcher works; what it finds does not depend on it.
struct CudaPairOptions {
  std::optional<PairSampling> sampling;                  ///< by default, what takes the least time
  std::uint64_t most_places = tuning::most_pair_places;  ///< that are searched together
  std::uint32_t pairs_at_once = tuning::pairs_at_once;   ///< on the device, for each call
  std::uint32_t open_pairs = tuning::open_pairs;         ///< those that warps compare, likewise
  std::uint64_t candidates = tuning::pair_candidates;    ///< that a kernel extends
  std::uint64_t copied_pairs = std::uint64_t{1} << 16;   ///< that the host takes at a time
};

/// Places the target and its k-mers on a device, and finds pairs there as CpuPairSearcher does.
/// Each thread that calls has a stream and buffers of its own. `transfer` must outlive it. Pre: the
/// pool's GPU is current. Throws ResourceError when the target does not fit, DeviceError.
std::unique_ptr<PairSearcher> make_pair_searcher(const PairSetup& setup,
                                                 std::shared_ptr<MemoryPool> pool,
                                                 Transfer& transfer,
                                                 const CudaPairOptions& options = {});

}  // namespace gsx::cuda
