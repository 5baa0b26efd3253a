// Searching on the GPU.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "kernels/transfer.hpp"

namespace gsx::cuda {

/// How a searcher works; what it finds does not depend on it.
struct SearcherOptions {
  PositionWidth width = PositionWidth::automatic;
  bool whole_rows = true;  ///< on the device, where there is room
  bool verify = true;      ///< few candidates, by comparing them with the text
};

/// Places the index on a device and searches there. Each thread that calls has a stream and buffers
/// of its own, so that copies of one batch overlap with the search of another; batches that take
/// too much memory are split.
/// Throws ResourceError when the index does not fit, CorruptIndexError, DeviceError.
std::unique_ptr<Searcher> make_searcher(const Index& index, int device, int threads,
                                        Transfer& transfer, const SearcherOptions& options);

}  // namespace gsx::cuda
