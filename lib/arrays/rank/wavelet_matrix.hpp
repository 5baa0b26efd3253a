// Owner and builder of a WaveletMatrixView.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays/rank/quad_vector.hpp"
#include "arrays/rank/wavelet_matrix_view.hpp"
#include "base/buffer.hpp"

namespace gsx {

/// codes_at(begin, end, out) writes a code or QuadVector::hole for each position of [begin, end).
/// Several threads call it.
using CodesAt = QuadVector::DigitsAt;

class WaveletMatrix {
 public:
  WaveletMatrix() = default;
  /// Builds the levels for codes of `bits` bits, 1 to 8. One level (bits <= 2) takes one pass and
  /// no memory besides the result; more levels also take two bytes per code. Throws ResourceError.
  WaveletMatrix(std::uint64_t size, std::uint32_t bits, const CodesAt& codes_at, int threads);

  /// Does the same from codes in memory, one byte each; more than one level takes a second copy of
  /// them.
  WaveletMatrix(Buffer<std::uint8_t> codes, std::uint32_t bits, int threads);

  /// Takes levels that were built elsewhere, that of the highest digit first.
  explicit WaveletMatrix(std::vector<QuadVector> levels) : levels_(std::move(levels)) {}

  WaveletMatrixView view() const;
  const std::vector<QuadVector>& levels() const { return levels_; }

  static std::uint32_t level_count(std::uint32_t bits) { return (bits + 1) / 2; }

 private:
  void add_levels(Buffer<std::uint8_t> codes, std::uint32_t count, int threads);

  std::vector<QuadVector> levels_;
};

}  // namespace gsx
