// Finds on the device which queries have a match that is long enough.
#pragma once

#include <cstdint>

#include "kernels/search/exact/search_index.hpp"
#include "search/matches/detect_pieces.hpp"

namespace gsx::cuda {

/// Pieces of queries in device memory, and what is found.
template <class Offset>
struct DetectView {
  PackedView symbols;
  DetectJobs<Offset> jobs;
  Offset min_length;
  std::uint8_t* matched;  ///< becomes 1 for each query in which a match is found; zero at first
  std::uint32_t* taken;   ///< jobs that threads have taken; zero at first
  std::uint32_t* fault;   ///< becomes 1 when the index leads outside itself
};

/// Does all jobs, each with a walk of one thread, but for those of queries that are known to match
/// when their turn comes. Asynchronous. Throws DeviceError.
template <class Offset, class Pos>
void detect_async(const SearchView<Pos>& index, const DetectView<Offset>& detect,
                  cudaStream_t stream);

}  // namespace gsx::cuda
