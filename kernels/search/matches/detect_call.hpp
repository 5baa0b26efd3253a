// Which queries of a batch have a match that is long enough, slice by slice.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/base/search_lane.hpp"
#include "kernels/search/exact/search_index.hpp"
#include "kernels/search/matches/cuda_match_searcher.hpp"

namespace gsx::cuda {

/// What a call needs.
template <class Pos>
struct DetectCallContext {
  SearchLane& lane;
  SearchLanes& lanes;
  SearchView<Pos> index;
  const MatchOptions& options;
  bool complements;  ///< whether reverse strands can be searched
};

/// Sets matched[i] to 1 for each query that has a match, and leaves the others. Pre: numbers of
/// codes and queries fit an Offset. Throws ResourceError if there is too little memory for one
/// piece, CorruptIndexError, DeviceError.
template <class Offset, class Pos>
void detect_matches(const DetectCallContext<Pos>& context, const Patterns& queries,
                    const MatchRequest& request, std::span<std::uint8_t> matched);

}  // namespace gsx::cuda
