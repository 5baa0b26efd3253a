// The FM-index: backward search, LF steps and locate, for the CPU and the GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "arrays/rank/wavelet_matrix_view.hpp"
#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "index/fm/kmer_view.hpp"
#include "index/fm/row_sampling.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// An FM-index (Ferragina and Manzini, 2005) over a wavelet matrix. It keeps the suffix array entry
/// of one row in `rate`.
struct FmView {
  WaveletMatrixView bwt;  ///< separators are its holes
  const std::uint64_t* c_offset =
      nullptr;     ///< [4^levels] the C array, as lf() needs it: first row of a symbol minus its
                   ///< sorted_rank at 0 (modulo 2^64); 0 for codes outside the alphabet
  KmerView kmers;  ///< intervals where searches start; none if k = 0
  PackedView samples;        ///< suffix array entries of the sampled rows
  PackedView hole_segments;  ///< k-th value: the segment that starts after the k-th hole
  SegmentsView segments;
  std::uint32_t sigma = 0;
  RowSampling sampling;

  GSX_HD std::uint64_t rows() const { return bwt.size(); }

  /// The LF mapping: the row of the suffix that starts one symbol earlier, if `code` is the BWT
  /// symbol of row i. For any code, the number of suffixes smaller than `code` followed by the
  /// suffix of row i. Pre: code < sigma, i <= rows(). Cost: one sector per level.
  template <class Pos>
  GSX_HD Pos lf(std::uint32_t code, Pos i) const {
    return bwt.sorted_rank(code, i) + static_cast<Pos>(c_offset[code]);
  }

  /// The interval of the empty pattern: all rows, also those of separators.
  template <class Pos>
  GSX_HD Interval<Pos> all() const {
    return {0, static_cast<Pos>(rows())};
  }
  /// Extends to the left: from the interval of w to the interval of `code` w.
  template <class Pos>
  GSX_HD Interval<Pos> extend(Interval<Pos> interval, std::uint32_t code) const {
    bwt.sorted_ranks(code, interval.begin, interval.end);
    const Pos shift = static_cast<Pos>(c_offset[code]);
    return {interval.begin + shift, interval.end + shift};
  }

  /// The interval of the pattern code_at(0) ... code_at(length - 1), by backward search from its
  /// last symbol. A code_at(i) that is not below sigma matches nothing. Cost: one access to the
  /// k-mer table, then one sorted_ranks per remaining symbol (one or two sectors per level) until
  /// the interval is empty. Patterns shorter than k do not use the table.
  template <class Pos, class CodeAt>
  GSX_HD Interval<Pos> search(const CodeAt& code_at, std::uint64_t length) const {
    Interval<Pos> interval = all<Pos>();
    std::uint64_t i = length;
    if (kmers.k > 0 && length >= kmers.k) {
      const std::uint64_t slot = kmers.slot([&]() -> std::uint32_t { return code_at(--i); });
      if (slot == KmerView::none) return {0, 0};
      interval = kmers.interval<Pos>(slot);
    }
    while (i-- > 0 && interval.begin < interval.end) {
      const std::uint32_t code = code_at(i);
      if (code >= sigma) return {0, 0};
      interval = extend(interval, code);
    }
    return interval;
  }

  /// One step of locate. If `row` is sampled, or its suffix starts a segment, sets `position` to
  /// its suffix array entry plus `steps` and returns true. Otherwise makes one LF step and counts
  /// it. Pre: row < rows(). Cost: one sector per level, or one for the sample.
  template <class Pos>
  GSX_HD bool step_back(Pos& row, std::uint64_t& steps, std::uint64_t& position) const {
    return step_back(row, steps, position, sampling.keeps(row));
  }
  /// A step for callers that know whether the row is sampled (`kept`).
  template <class Pos>
  GSX_HD bool step_back(Pos& row, std::uint64_t& steps, std::uint64_t& position, bool kept) const {
    if (kept) {
      position = samples[sampling.block(row)] + steps;
      return true;
    }
    if (bwt.is_hole(row)) {
      position = segments.starts[hole_segments[bwt.levels[0].holes_before(row)]] + steps;
      return true;
    }
    const std::uint32_t code = bwt.access_and_rank(row);
    row += static_cast<Pos>(c_offset[code]);
    ++steps;
    return false;
  }

  /// The byte in which the sample of a sampled row begins, for prefetching.
  GSX_HD const std::uint8_t* sample_address(std::uint64_t row) const {
    return samples.bytes + (sampling.block(row) * samples.bits >> 3);
  }
  /// The suffix array entry of `row`: its text position. Pre: row < rows(). Cost: rate - 1 LF steps
  /// expected, whatever the text.
  template <class Pos>
  GSX_HD std::uint64_t locate(Pos row) const {
    std::uint64_t steps = 0, position = 0;
    while (!step_back(row, steps, position)) {
    }
    return position;
  }
};
static_assert(std::is_trivially_copyable_v<FmView>);

}  // namespace gsx
