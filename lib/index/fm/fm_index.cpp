#include "index/fm/fm_index.hpp"

#include <algorithm>
#include <utility>

#include "arrays/packing/stream_codec.hpp"
#include "base/bits.hpp"
#include "base/parallel.hpp"

namespace gsx {
namespace {

constexpr std::uint64_t entries_per_task = std::uint64_t{1} << 12;
static_assert(entries_per_task % PackedArray::slice_unit == 0);

/// Builds a packed array whose value i is value_at(i), on several threads.
template <class ValueAt>
PackedArray pack_each(std::uint64_t size, std::uint32_t bits, const char* what, int threads,
                      const ValueAt& value_at) {
  Buffer<std::uint8_t> bytes(PackedView::bytes_for(size, bits), what);
  parallel_for(threads, divide_up(size, entries_per_task), [&](std::uint64_t task, int) {
    const std::uint64_t begin = task * entries_per_task;
    const std::uint64_t count = std::min(size - begin, entries_per_task);
    std::uint64_t values[entries_per_task];
    for (std::uint64_t i = 0; i < count; ++i)
      values[i] = value_at(begin + i);
    pack_stream(values, count, bits, bytes.data() + begin * bits / 8);
  });
  return {std::move(bytes), size, bits};
}

WaveletMatrix wavelet_of(const Bwt& bwt, std::uint32_t bits, int threads) {
  static_assert(Bwt::separator == QuadVector::hole);
  return WaveletMatrix(
      bwt.size(), bits,
      [&](std::uint64_t begin, std::uint64_t end, std::uint8_t* out) {
        bwt.codes(begin, end, out);
      },
      threads);
}

PackedArray samples_of(const SuffixArray& sa, const RowSampling& sampling, int threads) {
  const std::uint64_t n = sa.size();
  return pack_each(sampling.count(n), bits_for(n), "suffix array samples", threads,
                   [&](std::uint64_t i) { return sa[sampling.row(i)]; });
}

FmSource source_of(const SuffixArray& sa, WaveletMatrix bwt, const FmOptions& options,
                   int threads) {
  const PackedView separators = bwt.view().levels[0].holes;
  std::vector<std::uint64_t> positions(separators.size);
  for (std::uint64_t k = 0; k < positions.size(); ++k)
    positions[k] = sa[separators[k]];
  return {.bwt = std::move(bwt),
          .samples = samples_of(sa, RowSampling(options.sample_rate), threads),
          .separator_positions = std::move(positions),
          .kmers = std::nullopt};
}

KmerTable build_kmers(const TextView& text, const WaveletMatrixView& bwt, std::uint32_t k,
                      int threads) {
  const auto c_offset = c_offsets_of(bwt, text.sigma, text.segments.count);
  FmView fm;
  fm.bwt = bwt;
  fm.c_offset = c_offset.data();
  fm.sigma = text.sigma;
  return {fm, k, threads};
}

}  // namespace

FmIndex::FmIndex(const TextView& text, FmSource source, const FmOptions& options, int threads)
    : wavelet_(std::move(source.bwt)),
      samples_(std::move(source.samples)),
      sample_rate_(options.sample_rate) {
  kmers_ = source.kmers
               ? std::move(*source.kmers)
               : build_kmers(text, wavelet_.view(), options.kmer_length_for(text), threads);
  const std::vector<std::uint64_t>& positions = source.separator_positions;
  hole_segments_ =
      pack_each(positions.size(), bits_for(positions.size()), "segments by row", threads,
                [&](std::uint64_t k) { return text.segments.segment_at(positions[k]); });
}

FmIndex::FmIndex(const TextView& text, const SuffixArray& sa, const FmOptions& options, int threads)
    : FmIndex(
          text,
          source_of(sa, wavelet_of(Bwt(text, sa), text.symbols.bits, threads), options, threads),
          options, threads) {}

FmIndex::FmIndex(const TextView& text, SaAndBwt order, const FmOptions& options, int threads)
    : FmIndex(text,
              source_of(order.sa, WaveletMatrix(std::move(order.bwt), text.symbols.bits, threads),
                        options, threads),
              options, threads) {}

FmPartBytes fm_part_bytes(const TextView& text, const FmOptions& options) {
  const std::uint64_t n = text.length(), separators = text.segments.count;
  const std::uint64_t bounds = kmer_bound_count(text.sigma, options.kmer_length_for(text));
  FmPartBytes bytes;
  for (std::uint32_t level = 0; level < WaveletMatrix::level_count(text.symbols.bits); ++level) {
    const std::uint64_t size = level == 0 ? n : n - separators;
    bytes.blocks.push_back(QuadVector::block_count(size) * sizeof(QuadBlock));
    bytes.levels.push_back(bytes.blocks.back() +
                           QuadVector::superblock_count(size) * sizeof(QuadSuperblock));
  }
  bytes.separator_rows = PackedView::bytes_for(separators, bits_for(n));
  bytes.separator_segments = PackedView::bytes_for(separators, bits_for(separators));
  bytes.kmers = PackedView::bytes_for(bounds, bits_for(n));
  bytes.samples = PackedView::bytes_for(RowSampling(options.sample_rate).count(n), bits_for(n));
  return bytes;
}

std::vector<std::uint64_t> c_offsets_of(const WaveletMatrixView& bwt, std::uint32_t sigma,
                                        std::uint64_t separators) {
  std::vector<std::uint64_t> c_offset(std::size_t{1} << 2 * bwt.level_count);
  std::uint64_t first_row = separators;
  for (std::uint32_t code = 0; code < sigma; ++code) {
    const std::uint64_t place = bwt.sorted_rank(code, std::uint64_t{0});
    c_offset[code] = first_row - place;
    first_row += bwt.sorted_rank(code, bwt.size()) - place;
  }
  return c_offset;
}

}  // namespace gsx
