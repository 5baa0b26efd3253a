// Owner and builder of an FM-index.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "arrays/rank/wavelet_matrix.hpp"
#include "base/packed.hpp"
#include "index/bwt/bwt.hpp"
#include "index/fm/fm_view.hpp"
#include "index/fm/kmer_table.hpp"
#include "index/sa/builder.hpp"
#include "text/text.hpp"

namespace gsx {

/// What an FM-index is built from, wherever the suffix array lies.
struct FmSource {
  WaveletMatrix bwt;  ///< separators are its holes
  /// samples[i] = suffix array entry of row RowSampling(rate).row(i), packed in bits_for(n) bits.
  PackedArray samples;
  /// Text positions of the rows whose BWT symbol is a separator, in row order.
  std::vector<std::uint64_t> separator_positions;
  /// The k-mer table, if it has been built.
  std::optional<KmerTable> kmers;
};

/// The rate decides how many steps lead to a sampled row, where a search on the CPU and locate
/// learn a position. For a genome of 1 Gbp, rate 8 takes 3.8 of the 9.1 bits per base of the index;
/// a read of 150 bases then takes 35 cache lines. At rate 16 it takes 44, and the index is 21 %
/// smaller.
inline constexpr std::uint32_t default_sample_rate = 8;

/// The choices in building an FM-index.
struct FmOptions {
  std::uint32_t sample_rate = default_sample_rate;  ///< at least 1
  /// k of the k-mer table, at most longest_kmer(sigma); by default choose_kmer_length(n, sigma).
  std::optional<std::uint32_t> kmer_length;

  std::uint32_t kmer_length_for(const TextView& text) const {
    return kmer_length ? *kmer_length : choose_kmer_length(text.length(), text.sigma);
  }
};

/// The parts of an FM-index that depend only on the text, its suffix array and the options.
class FmIndex {
 public:
  FmIndex() = default;
  /// Cost: that of the k-mer table, unless `source` has it. Throws ResourceError.
  FmIndex(const TextView& text, FmSource source, const FmOptions& options, int threads);
  /// Pre: `sa` is the suffix array of `text`. Cost: two passes over the suffix array. Size: 2.7
  /// bits per base of DNA (8 per protein symbol, 10.7 per byte), log2(n) / sample_rate bits per
  /// symbol, and the k-mer table, which is small compared with them. Throws ResourceError.
  FmIndex(const TextView& text, const SuffixArray& sa, const FmOptions& options, int threads);
  /// Does the same from a suffix array and its BWT, which saves one random access per row.
  FmIndex(const TextView& text, SaAndBwt order, const FmOptions& options, int threads);

  const WaveletMatrix& wavelet() const { return wavelet_; }
  const KmerTable& kmers() const { return kmers_; }
  const PackedArray& samples() const { return samples_; }
  const PackedArray& hole_segments() const { return hole_segments_; }
  std::uint32_t sample_rate() const { return sample_rate_; }

 private:
  WaveletMatrix wavelet_;
  KmerTable kmers_;
  PackedArray samples_;
  PackedArray hole_segments_;
  std::uint32_t sample_rate_ = 1;
};

/// Exact sizes in bytes of the parts of an FM-index.
struct FmPartBytes {
  std::vector<std::uint64_t> blocks;  ///< rank blocks of each level of the wavelet matrix
  std::vector<std::uint64_t> levels;  ///< each level with its superblocks
  std::uint64_t separator_rows = 0;
  std::uint64_t separator_segments = 0;
  std::uint64_t kmers = 0;
  std::uint64_t samples = 0;
};
FmPartBytes fm_part_bytes(const TextView& text, const FmOptions& options);

/// Computes FmView::c_offset for a wavelet matrix over a text of `separators` segments.
std::vector<std::uint64_t> c_offsets_of(const WaveletMatrixView& bwt, std::uint32_t sigma,
                                        std::uint64_t separators);

}  // namespace gsx
