// Owner and builder of an FM-index.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/packed.hpp"
#include "bwt/bwt.hpp"
#include "fm/fm_view.hpp"
#include "rank/wavelet.hpp"
#include "sa/suffix_array.hpp"
#include "text/text.hpp"

namespace gsx {

/// What an FM-index is built from, wherever the suffix array lies.
struct FmSource {
  Wavelet bwt;  ///< with the separators as holes
  /// samples[i] = suffix array entry of row i * rate.
  std::function<std::uint64_t(std::uint64_t i)> sample_at;
  /// Text positions of the rows whose BWT symbol is a separator.
  std::function<std::vector<std::uint64_t>(std::span<const std::uint64_t> rows)> positions_of;
};

/// The parts of an FM-index that a text and its suffix array determine.
class FmIndex {
 public:
  FmIndex() = default;
  /// Cost: one pass over the samples; the result as below. Throws ResourceError.
  FmIndex(const TextView& text, FmSource source, std::uint32_t sample_rate, int threads);
  /// Pre: rows is the suffix array of text; sample_rate >= 1.
  /// Cost: two passes over the suffix array; the result is 2.7 bits a base of DNA (8 a symbol of
  /// protein, 10.7 of bytes) and log2(n) / sample_rate bits. Throws ResourceError.
  FmIndex(const TextView& text, const SuffixArray& rows, std::uint32_t sample_rate, int threads);

  const Wavelet& wavelet() const { return wavelet_; }
  const PackedArray& samples() const { return samples_; }
  const PackedArray& hole_segments() const { return hole_segments_; }
  std::uint32_t sample_rate() const { return sample_rate_; }

 private:
  Wavelet wavelet_;
  PackedArray samples_;
  PackedArray hole_segments_;
  std::uint32_t sample_rate_ = 1;
};

/// FmView::adjustment for a wavelet tree over a text of `separators` segments.
std::vector<std::uint64_t> row_adjustments(const WaveletView& bwt, std::uint32_t sigma,
                                           std::uint64_t separators);

}  // namespace gsx
