// The places of walked pieces in the text (list ranking).
#pragma once

#include <cstdint>

#include "index/bwt/splitters.hpp"
#include "kernels/base/device_buffer.hpp"

namespace gsx::cuda {

/// Where pieces and segments end in the text.
template <class Pos>
struct PieceEnds {
  DeviceBuffer<Pos> pieces;    ///< [pieces] the place behind the last symbol
  DeviceBuffer<Pos> segments;  ///< [segments] the place behind the separator
  std::uint64_t reached;       ///< symbols and separators of all segments
};

/// The ends of all pieces, if those of all segments together have as many symbols as the text; else
/// they mean nothing. Each thread adds up a list of pieces, 64 on average (ranked_list_pieces); the
/// lists are ranked by pointer jumping (Wyllie, The complexity of parallel computations, 1979);
/// then each thread goes along its list again.
/// Cost: two random reads and one write per piece. Waits. Throws ResourceError, DeviceError.
template <class Pos>
PieceEnds<Pos> rank_pieces(const DeviceBuffer<WalkedPiece<Pos>>& pieces,
                           const SplitterRows& splitters, DeviceStream stream);

}  // namespace gsx::cuda
