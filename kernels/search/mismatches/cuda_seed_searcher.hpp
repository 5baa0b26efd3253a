// Searching with seeds on the GPU.
#pragma once

#include <memory>

#include "kernels/search/exact/cuda_searcher.hpp"
#include "search/mismatches/mismatch_way.hpp"

namespace gsx::cuda {

/// How a search with seeds works; what it finds does not depend on it.
struct SeedOptions {
  int threads = 1;               ///< that the GPU saves, for the cost
  SearcherOptions search = {};   ///< device_hits: places that are listed on the device at a time
  std::uint64_t first_room = 0;  ///< places that a slice has room for; 0: as the last few had
};

/// Does what SeedSearcher does, with pieces looked up and places compared on a device. Places the
/// index there when it is first asked. Leaves to `scan` the patterns that cannot be cut into pieces
/// that are rare, and those with more places than are listed at a time. `index`, `transfer` and
/// `scan` must outlive it. Pre: the text is DNA. A search throws ResourceError when the index does
/// not fit, CorruptIndexError, DeviceError.
std::unique_ptr<MismatchWay> make_seed_searcher(const Index& index,
                                                std::shared_ptr<MemoryPool> pool,
                                                Transfer& transfer, const MismatchWay& scan,
                                                const SeedOptions& options);

}  // namespace gsx::cuda
