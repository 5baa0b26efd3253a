// Maximal matches on the GPU.
#pragma once

#include <memory>

#include "index/sa/suffix_array.hpp"
#include "kernels/base/tuning.hpp"
#include "kernels/search/exact/placed_index.hpp"
#include "search/exact/hits.hpp"
#include "search/matches/matches.hpp"
#include "search/matches/stretches.hpp"

namespace gsx::cuda {

/// How a searcher works; what it finds does not depend on it.
struct MatchOptions {
  PositionWidth width = PositionWidth::automatic;
  bool whole_suffix_array = true;  ///< on the device, where there is room
  bool wide_offsets = false;       ///< places in queries take 64 bits, however short they are
  /// How queries are cut. One that is longer than group_symbols comes alone.
  MatchTuning cutting = {.group_symbols = tuning::matched_group,
                         .piece_symbols = tuning::matched_piece,
                         .most_pieces = tuning::matched_pieces};
  std::uint64_t alone_symbols = tuning::matched_alone;  ///< of such a query, searched at a time
  /// In the host's memory, per call. A match takes as much as four hits.
  std::uint64_t host_hits = SearchMemory().hits_at_once;
  std::uint64_t first_room = 0;          ///< matches that a slice has room for; 0: as the last had
  SharedPlacement* placement = nullptr;  ///< if not null, shares what lies on the device, all of it
};

/// Places the index on a device, and finds maximal matches there as CpuMatchSearcher does. Each
/// thread that calls has a stream and buffers of its own. Pre: the pool's GPU is current. Throws
/// ResourceError when the index does not fit, CorruptIndexError, DeviceError.
std::unique_ptr<MatchSearcher> make_match_searcher(const Index& index,
                                                   std::shared_ptr<MemoryPool> pool,
                                                   Transfer& transfer, const MatchOptions& options);

}  // namespace gsx::cuda
