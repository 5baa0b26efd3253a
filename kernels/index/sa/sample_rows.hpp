// Rows whose suffixes begin at sampled positions.
#pragma once

#include <cstdint>

#include "kernels/index/sa/rank_bit_vector.hpp"

namespace gsx::cuda {

/// Places in a buffer of rows, ascending.
struct ChosenRows {
  DeviceBuffer<std::uint32_t> places;  ///< the first `count` of them; what follows is not used
  std::uint64_t count = 0;
};

/// Where the positions in `rows`, fewer than 2^32, are samples. Pre: at most `most` are. Cost: 4
/// bytes per row, or per sample that there may be. Waits for the stream. Throws ResourceError,
/// DeviceError.
template <class Pos>
ChosenRows choose_samples(const RankBitVector& samples, const DeviceBuffer<Pos>& rows,
                          std::uint64_t most, DeviceStream stream);

/// The values in the chosen places. Asynchronous. Throws ResourceError, DeviceError.
template <class T>
DeviceBuffer<T> gathered_async(const DeviceBuffer<T>& values, const ChosenRows& chosen,
                               DeviceStream stream);

}  // namespace gsx::cuda
