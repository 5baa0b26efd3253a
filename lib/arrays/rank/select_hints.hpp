// Owner of the hints from which select starts near its goal.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/rank/wavelet_matrix_view.hpp"
#include "base/buffer.hpp"

namespace gsx {

/// The block of every 512th digit in sorted order: the samples of Clark's select (1996), for all
/// four digits at once. Memory: 0.06 bits per digit. Cost: one select per hint. Throws
/// ResourceError.
Buffer<std::uint32_t> select_hints(QuadView level, int threads);

/// Those of each level of a wavelet matrix.
class SelectHints {
 public:
  SelectHints() = default;
  /// Hints for a wavelet matrix in host memory. Cost: one select per hint, on `threads` threads.
  /// Throws ResourceError.
  SelectHints(const WaveletMatrixView& wavelet, int threads);

  /// The wavelet matrix with these hints; it may be any copy in host memory. Valid while both live.
  WaveletMatrixView attached_to(WaveletMatrixView wavelet) const;

 private:
  std::vector<Buffer<std::uint32_t>> levels_;
};

}  // namespace gsx
