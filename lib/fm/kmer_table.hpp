// Owner and builder of a KmerView.
#pragma once

#include <cstdint>

#include "base/packed.hpp"
#include "fm/fm_view.hpp"

namespace gsx {

/// The longest k a table over sigma symbols may have: max_k, or less where there would be more
/// than max_kmers. Pre: sigma >= 1.
std::uint32_t longest_kmer(std::uint32_t sigma);

/// Bounds of the table for k. Pre: k <= longest_kmer(sigma).
std::uint64_t kmer_bound_count(std::uint32_t sigma, std::uint32_t k);

/// The k of an index of n rows: the longest whose table is at most a twentieth of what an index
/// takes with the default sampling rate; 0, no table, where not even k = 1 is.
/// Examples, DNA: 7 for 4.6 million bases (67 kB), 9 for 100 million, 12 for 3.1 billion (84 MB).
std::uint32_t choose_kmer_length(std::uint64_t n, std::uint32_t sigma);

/// Writes bounds [begin, end) of the table for one symbol more than `shorter` has, the same on host
/// and device. Its first symbol is the highest digit and the step from u to c u is an LF step of
/// both bounds, so the table is that of k - 1 after an LF step by symbol 0, then by symbol 1, ...;
/// from the single bound 0 of k = 0 that makes all of k = 1 but the last bound, n.
/// No bound is beyond n even if the ranks of a hostile index are.
/// Pre: `out` starts at a byte boundary. Cost: an LF step a bound, in ascending rows.
GSX_HD void fill_kmer_bounds(const FmView& fm, const KmerView& shorter, std::uint64_t begin,
                             std::uint64_t end, PackedWriter out) {
  const std::uint64_t rows = fm.rows();
  const std::uint64_t step = shorter.bounds.size;
  auto code = static_cast<std::uint32_t>(begin / step);
  std::uint64_t within = begin - code * step;
  for (std::uint64_t i = begin; i < end; ++i) {
    const std::uint64_t bound = code < fm.sigma ? fm.lf(code, shorter.bounds[within]) : rows;
    out.push(bound < rows ? bound : rows);
    if (++within == step) {
      within = 0;
      ++code;
    }
  }
  out.finish();
}

class KmerTable {
 public:
  KmerTable() = default;
  /// The table of an index, of which bwt, c_offset and sigma are used. The result depends on the
  /// text and k only. Pre: k <= longest_kmer(fm.sigma).
  /// Cost: about sigma / (sigma - 1) LF steps a bound on `threads` threads. Throws ResourceError.
  KmerTable(const FmView& fm, std::uint32_t k, int threads);
  /// Of bounds built elsewhere.
  KmerTable(PackedArray bounds, std::uint32_t sigma, std::uint32_t k)
      : bounds_(std::move(bounds)), k_(k), sigma_(sigma) {}

  KmerView view() const { return {bounds_.view(), k_, sigma_}; }
  const PackedArray& bounds() const { return bounds_; }
  std::uint32_t k() const { return k_; }

 private:
  PackedArray bounds_;
  std::uint32_t k_ = 0;
  std::uint32_t sigma_ = 0;
};

}  // namespace gsx
