// Some pieces of queries on their way through the device: pieces there, which queries match back.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/base/search_lane.hpp"
#include "kernels/search/matches/detect_search.hpp"

namespace gsx::cuda {

/// What is asked about pieces of queries.
template <class Offset>
struct DetectSliceRequest {
  std::span<const std::uint8_t> codes;          ///< of all queries
  std::span<const DetectPiece<Offset>> pieces;  ///< some of theirs, in order; at least one
  bool forward = true;
  bool reverse = true;
  Offset min_length = 1;
};

/// The answer, in the memory of a lane. All that the host gives crosses the bus in one copy, and
/// all that it gets in another, with one wait.
class DetectSlice {
 public:
  /// Takes memory, sends the pieces, and waits. Before ResourceError and std::bad_alloc, nothing
  /// has been started. Throws CorruptIndexError, DeviceError.
  template <class Offset, class Pos>
  DetectSlice(SearchLane& lane, const SearchView<Pos>& index,
              const DetectSliceRequest<Offset>& request);

  /// 1 for each query that matches, from that of the first piece to that of the last. Valid until
  /// the lane copies something else.
  std::span<const std::uint8_t> matched() const { return matched_; }

 private:
  std::span<const std::uint8_t> matched_;
};

}  // namespace gsx::cuda
