// The FM-index: backward search, LF steps and locate, as the CPU and the GPU run them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/host_device.hpp"
#include "base/packed.hpp"
#include "fm/kmer_view.hpp"
#include "fm/row_sampling.hpp"
#include "rank/wavelet_matrix_view.hpp"
#include "text/text_view.hpp"

namespace gsx {

/// An FM-index (Ferragina and Manzini, 2005) over a wavelet matrix, with one in `rate` rows of the
/// suffix array kept.
struct FmView {
  WaveletMatrixView bwt;                    ///< separators are its holes
  const std::uint64_t* c_offset = nullptr;  ///< [4^levels] first row of a symbol minus its place
                                            ///< in the wavelet matrix's own order (modulo
                                            ///< 2^64); 0 for codes that no alphabet has
  KmerView kmers;                           ///< where searches start; with k = 0 nowhere
  PackedView samples;                       ///< text positions of the kept rows
  PackedView hole_segments;                 ///< segment that starts at the k-th hole of the BWT
  SegmentsView segments;
  std::uint32_t sigma = 0;
  RowSampling sampling;

  GSX_HD std::uint64_t rows() const { return bwt.size(); }

  /// First row, in [i, n], whose suffix is `code` followed by a suffix of row i or later: the LF
  /// mapping when row i's BWT symbol is `code`. Pre: code < sigma, i <= rows().
  /// Cost: one sector a level.
  template <class Pos>
  GSX_HD Pos lf(std::uint32_t code, Pos i) const {
    return bwt.sorted_rank(code, i) + static_cast<Pos>(c_offset[code]);
  }

  /// All rows of suffixes, separators' rows included: where a search starts.
  template <class Pos>
  GSX_HD Interval<Pos> all() const {
    return {0, static_cast<Pos>(rows())};
  }
  /// From the rows that start with w to those that start with `code` w.
  template <class Pos>
  GSX_HD Interval<Pos> extend(Interval<Pos> interval, std::uint32_t code) const {
    bwt.sorted_ranks(code, interval.begin, interval.end);
    const Pos shift = static_cast<Pos>(c_offset[code]);
    return {interval.begin + shift, interval.end + shift};
  }

  /// Rows of the suffixes that start with code_at(0) ... code_at(length - 1), found from the last
  /// symbol to the first. A code_at(i) that is not below sigma matches nothing.
  /// Cost: one access to the k-mer table, then two sorted_ranks a symbol (one or two sectors),
  /// until the interval is empty; patterns shorter than k take no access and all their symbols.
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

  /// One step of locate: if the position of `row` is kept, sets `position` to it plus `steps` and
  /// returns true; else moves `row` to the row of the suffix one symbol longer and counts a step.
  /// Pre: row < rows(). Cost: one sector a level, or one for the sample.
  template <class Pos>
  GSX_HD bool step_back(Pos& row, std::uint64_t& steps, std::uint64_t& position) const {
    return step_back(row, steps, position, sampling.keeps(row));
  }
  /// The same where the caller knows whether the row is `kept`.
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

  /// The byte in which the sample of a kept row begins, for prefetching.
  GSX_HD const std::uint8_t* sample_address(std::uint64_t row) const {
    return samples.bytes + (sampling.block(row) * samples.bits >> 3);
  }
  /// Text position of the suffix in `row`. Pre: row < rows().
  /// Cost: rate - 1 steps back expected, whatever the text.
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
