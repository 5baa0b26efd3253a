// Owner of the hints by which select begins near its goal.
#pragma once

#include <cstdint>
#include <vector>

#include "base/buffer.hpp"
#include "rank/wavelet_matrix_view.hpp"

namespace gsx {

/// The block of every 1024th digit of each level in sorted order (the sampled answers of Clark's
/// select, 1996, over all four digits at once). Price: 0.03 bits a symbol and level.
class SelectHints {
 public:
  SelectHints() = default;
  /// Of a tree on the host. Cost: a select for each hint, on `threads` threads.
  /// Throws ResourceError.
  SelectHints(const WaveletMatrixView& wavelet, int threads);

  /// The tree with these hints, or any copy of it in host memory. Lasts as long as both do.
  WaveletMatrixView attached_to(WaveletMatrixView wavelet) const;

 private:
  std::vector<Buffer<std::uint32_t>> levels_;
};

}  // namespace gsx
